//! What a job says of machine code, in the words of each compiler.

use super::context::BuildContext;
use tare_model::Job;

/// Flags for a compiler of C or C++. Those that the user wrote stand last, so that they win.
pub(crate) fn native(job: &Job) -> Vec<String> {
    let cpu = job.target_cpu.iter().map(|cpu| format!("-march={cpu}"));
    let linker = job.linker.iter().map(|linker| format!("-fuse-ld={linker}"));
    cpu.chain(linker).chain(job.flags.iter().cloned()).collect()
}

/// Flags for rustc.
pub(crate) fn rustc(job: &Job) -> Vec<String> {
    let option = |text: String| ["-C".to_owned(), text];
    let cpu = job.target_cpu.iter().flat_map(|cpu| option(format!("target-cpu={cpu}")));
    let linker = job.linker.iter().flat_map(|linker| option(format!("link-arg=-fuse-ld={linker}")));
    cpu.chain(linker).chain(job.flags.iter().cloned()).collect()
}

/// Flags for what is compiled to machine code when it runs. What cannot be said to it is not passed over in silence.
pub(crate) fn dotnet(context: &BuildContext, target: &str) -> Vec<String> {
    let job = &context.options.job;
    for (name, value) in [("target-cpu", &job.target_cpu), ("linker", &job.linker)] {
        if value.is_some() {
            context.warn(target, format!("`{name}` of the job applies to C, C++ and Rust, and is ignored here"));
        }
    }
    job.flags.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_compiler_has_its_words() {
        let job = Job {
            target_cpu: Some("native".into()),
            linker: Some("lld".into()),
            flags: vec!["-g".into()],
            ..Job::default()
        };
        assert_eq!(native(&job), ["-march=native", "-fuse-ld=lld", "-g"]);
        assert_eq!(rustc(&job), ["-C", "target-cpu=native", "-C", "link-arg=-fuse-ld=lld", "-g"]);
    }
}
