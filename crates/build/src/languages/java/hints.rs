//! What to do about what `javac`, Maven and Gradle said.

use crate::toolchain::hints::Hint;
use tare_model::text::nearest;

pub(super) const HINTS: &[Hint] = &[
    (
        &["symbol:   class Benchmark\n"],
        "import the annotations: `import tare.*;`, or in a project with JMH `import org.openjdk.jmh.annotations.*;`",
    ),
    (
        &["package org.openjdk.jmh ... does not exist"],
        "the file needs JMH: name its jar, `--flags '-cp PATH/jmh-core.jar'`, or run the Maven project that has it",
    ),
    (
        &["error: package {} does not exist"],
        "name the jar that has `{}`: `// tare-flags: -cp PATH.jar` in the file, `--flags '-cp PATH.jar'`, or `CLASSPATH`",
    ),
    (
        &["is public, should be declared in a file named {}"],
        "name the file {}, or leave out the word `public` before the class",
    ),
    (&["preview feature"], "allow preview features: `// tare-flags: --enable-preview` in the file"),
    (
        &["release version ... not supported", "invalid target release"],
        "the project wants a newer JDK: name one, `--job java25`, or set `JAVA_HOME`",
    ),
    (
        &["Task 'tareClassPath' not found"],
        "the module does not compile Java: its `build.gradle` needs `plugins { id 'java' }`",
    ),
    (
        &["Unsupported class file major version", "Could not determine java version"],
        "this Gradle is older than the JDK: name an older JDK, `--job java17`, or update Gradle",
    ),
    (
        &["Could not resolve dependencies", "Could not transfer artifact"],
        "a dependency must be downloaded: run `mvn dependency:go-offline` with network access first",
    ),
];

/// A member that no annotation of ours has.
pub(super) fn misspelt(output: &str) -> Option<String> {
    let (before, _) = output.split_once("()\n  location: @interface ")?;
    let name = before.rsplit_once("symbol:   method ")?.1;
    let members: Vec<String> = MEMBERS.split(' ').map(str::to_owned).collect();
    let near = nearest(name, &members, 1).pop()?;
    Some(format!("did you mean `{near}`?"))
}

const MEMBERS: &str =
    "name group baseline description categories diagnose strategy results bytes items unit threads waits ownTime skip";

#[cfg(test)]
mod tests {
    use crate::toolchain::hints::of_output;

    #[test]
    fn what_javac_says_has_its_hint() {
        let said = "A.java:1: error: package com.google.common.base does not exist\nimport com.google.common.base.X;\n";
        assert!(of_output(said).is_some_and(|hint| hint.starts_with("name the jar that has `com.google.common.base`")));
        let said = "A.java:3: error: class Sorting is public, should be declared in a file named Sorting.java\n";
        assert!(of_output(said).is_some_and(|hint| hint.starts_with("name the file Sorting.java")));
        let said = "A.java:1: error: package org.openjdk.jmh.annotations does not exist\n";
        assert!(of_output(said).is_some_and(|hint| hint.starts_with("the file needs JMH")));
        let said = "A.java:4: error: cannot find symbol\n  symbol:   class Benchmark\n  location: class A\n";
        assert!(of_output(said).is_some_and(|hint| hint.contains("`import tare.*;`")));
        let said = "A.java:4: error: cannot find symbol\n    @Benchmark(basline = true)\n               ^\n  symbol:   method basline()\n  \
                    location: @interface Benchmark\n1 error\n";
        assert_eq!(of_output(said).as_deref(), Some("did you mean `baseline`?"));
    }

    #[test]
    fn the_members_are_those_of_the_annotation() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../frontends/java/src/tare/Benchmark.java");
        let source = std::fs::read_to_string(path).expect("the front end");
        let names = source.lines().filter_map(|line| line.split_once("() default ")?.0.split_whitespace().last());
        assert_eq!(names.collect::<Vec<_>>().join(" "), super::MEMBERS);
    }
}
