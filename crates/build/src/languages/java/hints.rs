use crate::toolchain::hints::Hint;

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
    }
}
