#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How many call sites the modules of a desktop have, by those that a distribution builds.

Usage: desktop.py MODULES

MODULES is the directory of a kernel's modules, with modules.dep (depmod makes it). Each relocation against a function that
alloc_hooks() wraps, whose names end in _noprof, is a call site of a kernel with allocation profiling. Of Debian's:

    apt-get download linux-modules-7.3.4+deb13-amd64
    dpkg-deb -x linux-modules-*.deb root && ln -s usr/lib root/lib && depmod -b root 7.3.4+deb13-amd64
    scripts/lib/bench/desktop.py root/lib/modules/7.3.4+deb13-amd64"""

import lzma
import pathlib
import subprocess
import sys
import tempfile

# What such machines load, by the names of modules; what these depend on comes with them.
COMMON = """
snd_hda_intel snd_hda_codec_hdmi snd_usb_audio snd_seq_midi snd_hrtimer cfg80211 mac80211 btusb bnep rfcomm
r8169 cdc_ether r8152 usbnet nvme ahci sd_mod sr_mod usb_storage uas sdhci_pci rtsx_pci_sdmmc xhci_pci thunderbolt ucsi_acpi
ext4 btrfs vfat ntfs3 exfat fuse overlay nfs cifs squashfs isofs efivarfs autofs4 dm_mod dm_crypt raid1 loop zram
vhost_net tun bridge veth macvlan nft_ct nft_chain_nat nft_masq nft_reject_inet nf_conntrack_netlink xt_conntrack
xt_MASQUERADE xt_comment ip_set wireguard uvcvideo usbhid hid_generic hid_multitouch hid_logitech_dj hid_sensor_hub
i2c_hid_acpi psmouse joydev tpm_crb aesni_intel cryptd algif_hash algif_skcipher
""".split()
MACHINES = {
    "Intel": "i915 xe snd_sof_pci_intel_tgl snd_soc_dmic iwlmvm e1000e igc kvm_intel intel_rapl_msr coretemp "
             "processor_thermal_device_pci intel_vsec mei_me iTCO_wdt thinkpad_acpi".split(),
    "AMD": "amdgpu mt7921e ath11k_pci rtw89_8852ae kvm_amd k10temp ccp xfs raid456".split(),
    "NVIDIA": "nouveau iwlmvm igc kvm_amd k10temp ccp xfs".split(),
}


def unpacked(path):
    data = path.read_bytes()
    return lzma.decompress(data) if path.suffix == ".xz" else data


def call_sites(path):
    """The relocations against functions that are wrapped."""
    # readelf wants a file that it can seek in.
    with tempfile.NamedTemporaryFile() as file:
        file.write(unpacked(path))
        file.flush()
        run = subprocess.run(["readelf", "-rW", file.name], capture_output=True, check=True)
    return sum(1 for line in run.stdout.split(b"\n") if b"_noprof " in line)


def dependencies(directory):
    """Each module's path, and the paths of what it needs."""
    for line in (directory / "modules.dep").read_text().splitlines():
        path, _, needed = line.partition(":")
        yield path, needed.split()


def name(path):
    return pathlib.PurePath(path).name.partition(".")[0].replace("-", "_")


def main(directory):
    needs = {name(path): [path, *needed] for path, needed in dependencies(directory)}
    for machine, own in MACHINES.items():
        paths = {path for module in COMMON + own for path in needs.get(module, [])}
        print(f"{machine}: {len(paths)} modules, {sum(call_sites(directory / path) for path in paths)} call sites")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not (pathlib.Path(sys.argv[1]) / "modules.dep").is_file():
        sys.exit("desktop.py: name the directory of a kernel's modules, with modules.dep in it")
    main(pathlib.Path(sys.argv[1]))
