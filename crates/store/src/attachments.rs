//! Files attached to a run, in a folder next to its document. A missing or damaged one affects nothing else.

use crate::atomic::{create_private_dir, write_atomically};
use crate::files::{open_to_read, Links};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tare_model::{Attachment, Run};

#[derive(Debug, Clone)]
pub struct Attachments {
    folder: PathBuf,
}

impl Attachments {
    pub fn in_folder(of_run: &Path) -> Attachments {
        Attachments { folder: of_run.join(Attachment::FOLDER) }
    }

    pub fn folder_of_run(&self) -> PathBuf {
        self.folder.parent().map(Path::to_owned).unwrap_or_default()
    }

    /// The path of an attachment, whether it exists or not. None: the run does not name a file.
    pub fn path(&self, attachment: &Attachment) -> Option<PathBuf> {
        attachment.file().map(|file| self.folder.join(file))
    }

    pub fn write(&self, attachment: &Attachment, content: &[u8]) -> io::Result<()> {
        let path = self.path(attachment).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        create_private_dir(&self.folder)?;
        // A link could lead anywhere.
        if !self.is_folder() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder"));
        }
        write_atomically(&path, 0o600, |writer| writer.write_all(content))
    }

    pub fn read(&self, attachment: &Attachment) -> Result<Vec<u8>, String> {
        let file = self.open(attachment)?;
        let mut content = Vec::new();
        file.take(Attachment::BYTES_MAX + 1).read_to_end(&mut content).map_err(|error| error.to_string())?;
        match blake3::hash(&content).to_hex().as_str() == attachment.hash {
            true => Ok(content),
            false => Err("it is damaged: its content has changed".to_owned()),
        }
    }

    /// Opens an attachment, if it has the expected size.
    pub fn open(&self, attachment: &Attachment) -> Result<File, String> {
        if let Some(reason) = &attachment.lost {
            return Err(format!("it was not stored: {reason}"));
        }
        if attachment.bytes > Attachment::BYTES_MAX {
            return Err(format!("it is larger than {} MiB", Attachment::BYTES_MAX >> 20));
        }
        let path = self.path(attachment).ok_or("the run does not say which file it is")?;
        if !self.is_folder() {
            return Err(format!("`{}` is not a folder", self.folder.display()));
        }
        let file = open_to_read(&path, Links::Refuse).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "its file is missing".to_owned(),
            _ => error.to_string(),
        })?;
        let bytes = file.metadata().map_err(|error| error.to_string())?.len();
        match bytes == attachment.bytes {
            true => Ok(file),
            false => Err(format!("it is damaged: it has {bytes} bytes instead of {}", attachment.bytes)),
        }
    }

    fn is_folder(&self) -> bool {
        fs::symlink_metadata(&self.folder).is_ok_and(|data| data.is_dir())
    }

    /// Copies a run's attachments from other folders. Those found in none are marked as lost; returns their names and the reasons.
    pub(crate) fn take_over(&self, run: &mut Run, from: &[Attachments]) -> Vec<(String, String)> {
        let mut lost = Vec::new();
        for attachment in run.attachments.iter_mut().filter(|attachment| attachment.lost.is_none()) {
            let mut why = "no run has it".to_owned();
            let found = from.iter().find_map(|other| other.read(attachment).map_err(|reason| why = reason).ok());
            let kept = found.ok_or(why).and_then(|content| self.write(attachment, &content).map_err(|e| e.to_string()));
            if let Err(reason) = kept {
                attachment.lost = Some(reason.clone());
                lost.push((attachment.name.clone(), reason));
            }
        }
        lost
    }

    pub(crate) fn bytes(&self) -> u64 {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        files.filter_map(|entry| entry.metadata().ok()).map(|data| data.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::{Maker, Owner};

    fn attachment(name: &str, content: &[u8]) -> Attachment {
        Attachment {
            of: Owner::Case(0),
            part: 0,
            diagnoser: "calls".to_owned(),
            name: name.to_owned(),
            title: String::new(),
            media_type: "text/plain".to_owned(),
            maker: Maker::Program,
            bytes: content.len() as u64,
            hash: blake3::hash(content).to_hex().to_string(),
            lost: None,
        }
    }

    #[test]
    fn what_is_kept_is_read_again_and_what_is_wrong_is_named() {
        let place = tempfile::tempdir().expect("a folder");
        let all = Attachments::in_folder(place.path());
        let good = attachment("calls.txt", b"content");
        assert!(all.read(&good).expect_err("nothing is there").contains("is not a folder"));
        all.write(&good, b"content").expect("written");
        assert_eq!((all.read(&good).as_deref(), all.bytes()), (Ok(&b"content"[..]), 7));
        let path = all.path(&good).expect("a path");
        assert!(path.to_string_lossy().ends_with("-calls.txt"), "{path:?}");
        let why = |attachment: &Attachment| all.read(attachment).expect_err("wrong");
        fs::write(&path, "CONTENT").expect("written");
        assert!(why(&good).contains("its content has changed"));
        fs::write(&path, "more content").expect("written");
        assert!(why(&good).contains("it has 12 bytes instead of 7"));
        fs::remove_file(&path).expect("removed");
        assert!(why(&good).contains("missing"));
        assert!(why(&Attachment { lost: Some("no room".to_owned()), ..good.clone() }).contains("not stored: no room"));
        assert!(why(&Attachment { bytes: u64::MAX, ..good.clone() }).contains("larger than"));
        assert!(why(&Attachment { hash: "../../etc/passwd".to_owned(), ..good.clone() }).contains("does not say"));
    }

    #[test]
    fn no_name_and_no_link_leads_out_of_the_folder() {
        use std::os::unix::fs::symlink;
        let place = tempfile::tempdir().expect("a folder");
        let secret = place.path().join("secret");
        fs::write(&secret, "secret").expect("written");
        let run = place.path().join("run");
        fs::create_dir(&run).expect("a folder");
        let all = Attachments::in_folder(&run);
        for name in ["../../secret", "/etc/passwd", "..", "", "a/b", "a\0b", ".hidden", &"long".repeat(100)] {
            let path = all.path(&attachment(name, b"secret")).expect("a path");
            assert_eq!(path.parent(), Some(all.folder.as_path()), "{name:?}");
            assert!(path.file_name().is_some_and(|file| file.len() < 100), "{path:?}");
        }
        let linked = attachment("x", b"secret");
        all.write(&linked, b"secret").expect("written");
        let path = all.path(&linked).expect("a path");
        fs::remove_file(&path).expect("removed");
        symlink(&secret, &path).expect("a link");
        assert!(all.read(&linked).is_err_and(|why| why.contains("symbolic link")));
        let outside = place.path().join("outside");
        fs::rename(&all.folder, &outside).expect("moved");
        symlink(&outside, &all.folder).expect("a link");
        assert!(all.read(&linked).is_err_and(|why| why.contains("is not a folder")));
        assert!(all.write(&linked, b"secret").is_err());
    }
}
