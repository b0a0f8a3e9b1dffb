//! Benchmarks that are added when the program starts: one for each file of a folder.

fn main() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/benches");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in files.into_iter().take(3) {
        let (name, text) = (file.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&file).unwrap());
        let length = text.len() as u64;
        tare::add("lines", move || {
            let text = text.clone();
            move || text.iter().filter(|byte| **byte == b'\n').count()
        })
        .group("files")
        .parameter("file", name)
        .bytes(length);
    }
    tare::main();
}
