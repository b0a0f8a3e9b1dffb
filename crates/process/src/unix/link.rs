//! The host's side of the link: lines in and out, all of them limited.

use super::fd;
use crate::link::LINE_BYTES_MAX;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

/// Bytes per read: the capacity of a pipe.
const CHUNK_BYTES: usize = 64 << 10;

/// A larger empty buffer is freed, in bytes.
const KEPT_BYTES: usize = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkState {
    Open,
    Ended,
    TooLong,
}

#[derive(Debug)]
pub(crate) struct Link {
    read: OwnedFd,
    /// `None` after hanging up.
    write: Option<OwnedFd>,
    buffer: Vec<u8>,
    /// Bytes at the start of the buffer that were returned already.
    taken: usize,
    /// Bytes at the start of the buffer known to have no line end after `taken`.
    searched: usize,
    pub(crate) state: LinkState,
}

impl Link {
    pub(crate) fn new(read: OwnedFd, write: OwnedFd) -> io::Result<Link> {
        fd::add_status_flag(&read, libc::O_NONBLOCK)?;
        fd::add_status_flag(&write, libc::O_NONBLOCK)?;
        Ok(Link { read, write: Some(write), buffer: Vec::new(), taken: 0, searched: 0, state: LinkState::Open })
    }

    /// The descriptor to wait for; -1 after the end.
    pub(crate) fn fd(&self) -> RawFd {
        match self.state {
            LinkState::Open => self.read.as_raw_fd(),
            LinkState::Ended | LinkState::TooLong => -1,
        }
    }

    /// Writes a request. It fits in the pipe unless the child left thousands of requests unread: that is an error, not a wait.
    pub(crate) fn send(&mut self, line: &[u8]) -> io::Result<()> {
        let write = self.write.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut rest = line;
        while !rest.is_empty() {
            match fd::write(write, rest)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                count => rest = &rest[count..],
            }
        }
        Ok(())
    }

    /// Closes the host's end for requests.
    pub(crate) fn hang_up(&mut self) {
        self.write = None;
    }

    /// The next whole line in the buffer.
    pub(crate) fn line(&mut self) -> Option<Vec<u8>> {
        let at = self.line_end()?;
        let line = self.buffer[self.taken..at].to_vec();
        self.taken = at + 1;
        self.searched = self.taken;
        if self.taken == self.buffer.len() {
            self.taken = 0;
            self.searched = 0;
            self.buffer.clear();
            if self.buffer.capacity() > KEPT_BYTES {
                self.buffer = Vec::new();
            }
        }
        Some(line)
    }

    pub(crate) fn has_line(&mut self) -> bool {
        self.line_end().is_some()
    }

    fn line_end(&mut self) -> Option<usize> {
        let from = self.searched.max(self.taken);
        match self.buffer[from..].iter().position(|byte| *byte == b'\n') {
            Some(offset) => {
                self.searched = from + offset;
                Some(from + offset)
            }
            None => {
                self.searched = self.buffer.len();
                None
            }
        }
    }

    /// The unfinished line in the buffer.
    pub(crate) fn partial(&self) -> &[u8] {
        &self.buffer[self.taken..]
    }

    /// Reads available data, at most one chunk; false if there was none. Sets `reading` at the end of the link and when a line is too long.
    pub(crate) fn read(&mut self) -> io::Result<bool> {
        if self.taken > 0 {
            self.buffer.drain(..self.taken);
            self.searched -= self.taken.min(self.searched);
            self.taken = 0;
        }
        let length = self.buffer.len();
        let room = CHUNK_BYTES.min(LINE_BYTES_MAX - length);
        if room == 0 {
            self.state = LinkState::TooLong;
            return Ok(true);
        }
        if self.buffer.capacity() < length + room {
            // Plain doubling could take up to twice the limit.
            let wanted = (length * 2).clamp(length + room, LINE_BYTES_MAX);
            self.buffer.reserve_exact(wanted - length);
        }
        match fd::read(&self.read, &mut self.buffer, room)? {
            Some(0) => {
                self.state = LinkState::Ended;
                Ok(true)
            }
            Some(_) => Ok(true),
            None => Ok(false),
        }
    }
}
