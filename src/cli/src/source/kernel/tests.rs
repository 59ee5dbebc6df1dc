// SPDX-License-Identifier: GPL-2.0-only OR MIT

use super::*;

fn state() -> State {
    State {
        procfs: "/proc".into(),
        mounted: true,
        profiling: Profiling { enabled: Some(false), compressed: Some(false), uncounted: None },
        access: Access::Absent,
        boot: None,
        config: None,
        release: "7.3.4".into(),
        root: true,
    }
}

fn built(profiling: bool, on_by_default: bool) -> Option<Config> {
    Some(Config { profiling, on_by_default, debug: false })
}

#[test]
fn every_cause_of_a_missing_file_is_told_apart() {
    let boot = |value: &str| Some(value.to_owned());
    let gone = Profiling::default();
    for (case, expected) in [
        (State { access: Access::Readable { ioctls: true }, ..state() }, None),
        (State { access: Access::Denied, root: false, ..state() }, Some("only root may read it")),
        (State { access: Access::Failed("is odd".into()), ..state() }, Some("is odd")),
        (State { mounted: false, profiling: gone, ..state() }, Some("procfs is not mounted")),
        (
            State { profiling: gone, config: built(false, false), ..state() },
            Some("is built without CONFIG_MEM_ALLOC_PROFILING"),
        ),
        (State { profiling: gone, config: built(true, true), ..state() }, Some("container")),
        (State { profiling: gone, ..state() }, Some("older than 6.10")),
        (State { boot: boot("never"), ..state() }, Some("=never is on the kernel's command line")),
        (State { boot: boot("never,compressed"), ..state() }, Some("=never is on")),
        (State { config: built(true, false), ..state() }, Some("off by default")),
        (State { boot: boot("1,compressed"), ..state() }, Some("do not fit into page flags")),
        (State { boot: boot("1"), ..state() }, Some("has shut profiling down")),
        (State { config: built(true, true), ..state() }, Some("has shut profiling down")),
    ] {
        let found = case.obstacle();
        match expected {
            None => assert_eq!(found, None),
            Some(part) => assert!(found.as_deref().is_some_and(|text| text.contains(part)), "{found:?} lacks {part:?}"),
        }
    }
}

#[test]
fn every_refusal_of_the_switch_is_explained() {
    for (errno, root, expected) in [
        (2, true, "does not exist"),
        (13, false, "only root"),
        (13, true, "CONFIG_MEM_ALLOC_PROFILING_DEBUG"),
        (22, true, "cannot be turned on or off in this boot"),
        (30, true, "read-only"),
        (5, true, "input/output error"),
    ] {
        let found = State { root, ..state() }.refusal(&io::Error::from_raw_os_error(errno));
        assert!(found.contains(expected), "{errno}: {found:?} lacks {expected:?}");
    }
}

#[test]
fn the_last_boot_parameter_counts_and_dashes_are_underscores() {
    for (line, expected) in [
        ("quiet", None),
        ("sysctl.vm.mem_profiling=never quiet", Some("never")),
        ("sysctl.vm.mem_profiling=never sysctl.vm.mem-profiling=1,compressed\n", Some("1,compressed")),
        ("sysctl.vm.mem_profiling=1 -- sysctl.vm.mem_profiling=never", Some("1")),
        ("xsysctl.vm.mem_profiling=1", None),
    ] {
        assert_eq!(boot_value(line).as_deref(), expected, "{line}");
    }
}

#[test]
fn the_configuration_is_read_by_whole_symbols() {
    let text = "CONFIG_MEM_ALLOC_PROFILING=y\n# CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT is not set\n";
    assert_eq!(config_of(text), Config { profiling: true, on_by_default: false, debug: false });
    assert!(!config_of("CONFIG_MEM_ALLOC_PROFILING_DEBUG=y\n").profiling);
}
