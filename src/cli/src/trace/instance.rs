// SPDX-License-Identifier: GPL-2.0-only OR MIT

//! An instance of the kernel's tracer: buffers, and events that go into them, which nobody else has to do with.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::head::Losses;

/// How the names of instances begin; the number of the process to which each belongs follows.
const PREFIX: &str = "alloctag-";

/// Where they are, in tracefs.
const INSTANCES: &str = "instances";

/// An instance. It goes when this does.
#[derive(Debug)]
pub struct Instance {
    path: PathBuf,
    /// The buffers that are open, each with its CPU. As long as one is, the instance cannot go.
    pipes: Vec<(u32, File)>,
}

/// Removes what processes have left behind that are not there any more: they were killed.
pub fn sweep(tracefs: &Path, procfs: &Path) {
    let Ok(entries) = fs::read_dir(tracefs.join(INSTANCES)) else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let owner = name.to_str().and_then(owner);
        if owner.is_some_and(|owner| !procfs.join(owner.to_string()).exists()) {
            // Somebody may be looking at it.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The process that an instance of this name belongs to, if it is one of ours.
fn owner(name: &str) -> Option<u32> {
    let rest = name.strip_prefix(PREFIX)?;
    rest.split_once('-').map_or(rest, |(owner, _)| owner).parse().ok()
}

impl Instance {
    /// Makes one for a process; `role` tells those of one process apart.
    ///
    /// # Errors
    ///
    /// That of the kernel.
    pub fn make(tracefs: &Path, owner: u32, role: &str) -> io::Result<Instance> {
        let path = tracefs.join(INSTANCES).join(format!("{PREFIX}{owner}{role}"));
        match fs::create_dir(&path) {
            // It belonged to another process of that number, which did not end well.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                fs::remove_dir(&path)?;
                fs::create_dir(&path)?;
            }
            made => made?,
        }
        Ok(Instance { path, pipes: Vec::new() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes to a file of it.
    ///
    /// # Errors
    ///
    /// That of the kernel, with the file.
    pub fn write(&self, file: &str, value: &str) -> Result<(), (PathBuf, io::Error)> {
        let path = self.path.join(file);
        fs::write(&path, value).map_err(|error| (path, error))
    }

    /// Opens the buffers of all CPUs.
    ///
    /// # Errors
    ///
    /// That of the kernel, with the file.
    pub fn open(&mut self) -> Result<(), (PathBuf, io::Error)> {
        let directory = self.path.join("per_cpu");
        let entries = fs::read_dir(&directory).map_err(|error| (directory, error))?;
        // CAST: flags of open() have few bits.
        let flags = OFlags::NONBLOCK.bits() as i32;
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            let cpu = name.to_str().and_then(|name| name.strip_prefix("cpu")?.parse().ok());
            let Some(cpu) = cpu else { continue };
            let path = entry.path().join("trace_pipe_raw");
            let file = OpenOptions::new().read(true).custom_flags(flags).open(&path);
            self.pipes.push((cpu, file.map_err(|error| (path, error))?));
        }
        self.pipes.sort_by_key(|(cpu, _)| *cpu);
        Ok(())
    }

    /// How many CPUs there are.
    pub fn cpus(&self) -> usize {
        self.pipes.len()
    }

    /// Reads a sub-buffer of the CPU at that place into `page`. The CPU, and whether there was one.
    ///
    /// # Errors
    ///
    /// That of the kernel.
    pub fn read(&mut self, place: usize, page: &mut [u8]) -> io::Result<(u32, bool)> {
        let Some((cpu, pipe)) = self.pipes.get_mut(place) else { return Ok((0, false)) };
        loop {
            match pipe.read(page) {
                Ok(length) => return Ok((*cpu, length == page.len())),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok((*cpu, false)),
                Err(error) => return Err(error),
            }
        }
    }

    /// What each CPU has lost.
    pub fn losses(&self) -> impl Iterator<Item = (u32, Losses)> + '_ {
        self.pipes.iter().filter_map(|(cpu, _)| {
            let stats = fs::read_to_string(self.path.join(format!("per_cpu/cpu{cpu}/stats"))).ok()?;
            Some((*cpu, Losses::parse(&stats)))
        })
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.pipes.clear();
        // What is left then is removed by the next run.
        let _ = fs::remove_dir(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_has_left_is_removed_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let (tracefs, procfs) = (directory.path().join("t"), directory.path().join("p"));
        fs::create_dir_all(procfs.join("7")).unwrap();
        let names = ["alloctag-7", "alloctag-8", "alloctag-8-frees", "alloctag-x", "alloctag", "other-8"];
        for name in names {
            fs::create_dir_all(tracefs.join(INSTANCES).join(name)).unwrap();
        }
        sweep(&tracefs, &procfs);
        let left: Vec<&str> = names.into_iter().filter(|name| tracefs.join(INSTANCES).join(name).exists()).collect();
        assert_eq!(left, ["alloctag-7", "alloctag-x", "alloctag", "other-8"]);
        sweep(Path::new("/no/such"), &procfs);
    }

    #[test]
    fn an_instance_goes_with_its_owner_and_makes_way_for_the_next() {
        let directory = tempfile::tempdir().unwrap();
        let tracefs = directory.path();
        fs::create_dir(tracefs.join(INSTANCES)).unwrap();
        let old = tracefs.join(INSTANCES).join("alloctag-5-frees");
        fs::create_dir(&old).unwrap();
        let instance = Instance::make(tracefs, 5, "-frees").unwrap();
        assert_eq!((instance.path(), instance.cpus()), (old.as_path(), 0));
        drop(instance);
        assert!(!old.exists());
    }

    #[test]
    fn buffers_are_read_a_page_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        for (name, content) in [("cpu0", "abcdefgh"), ("cpu12", ""), ("cpu2", "ij")] {
            let cpu = directory.path().join("per_cpu").join(name);
            fs::create_dir_all(&cpu).unwrap();
            fs::write(cpu.join("trace_pipe_raw"), content).unwrap();
            fs::write(cpu.join("stats"), "overrun: 3\n").unwrap();
        }
        let mut instance = Instance { path: directory.path().to_owned(), pipes: Vec::new() };
        instance.open().unwrap();
        let mut page = [0; 4];
        let mut read = |place| instance.read(place, &mut page).unwrap();
        assert_eq!(
            [read(0), read(0), read(0), read(1), read(2), read(3)],
            [(0, true), (0, true), (0, false), (2, false), (12, false), (0, false)]
        );
        assert_eq!(
            instance.losses().map(|(cpu, losses)| (cpu, losses.overrun)).collect::<Vec<_>>(),
            [(0, 3), (2, 3), (12, 3)]
        );
    }
}
