//! The files of `tare init java`, `kotlin` and `scala`. A project uses the annotations of JMH, which every build tool can download.

use super::gradle::MANIFESTS;
use super::maven::MANIFEST as POM;
use crate::languages::first::{Draft, First, Inside, NewProject};

const ALONE: &str = include_str!("first/Parse.java.in");
const PROJECT: &str = include_str!("first/pom.xml.in");
const JMH: &str = "1.37";

/// JMH has no baselines: the command names the benchmark that others in its class are compared with.
const RUN: &str = ". --baseline library";

struct Kind {
    word: &'static str,
    /// File suffix, and its source folder in projects.
    suffix: &'static str,
    folder: &'static str,
    source: &'static str,
    /// Additions to the manifest of a Java project: dependencies, and how to compile the language.
    dependencies: &'static str,
    build: &'static str,
}

const JAVA: Kind = Kind {
    word: "java",
    suffix: "java",
    folder: "java",
    source: include_str!("first/ParseBenchmark.java.in"),
    dependencies: "",
    build: "",
};

const KOTLIN: Kind = Kind {
    word: "kotlin",
    suffix: "kt",
    folder: "kotlin",
    source: include_str!("first/ParseBenchmark.kt.in"),
    dependencies: "\n    <dependency>\n      <groupId>org.jetbrains.kotlin</groupId>\n      \
                   <artifactId>kotlin-stdlib</artifactId>\n      <version>2.1.21</version>\n    </dependency>",
    build: include_str!("first/kotlin.xml.in"),
};

const SCALA: Kind = Kind {
    word: "scala",
    suffix: "scala",
    folder: "scala",
    source: include_str!("first/ParseBenchmark.scala.in"),
    dependencies: "\n    <dependency>\n      <groupId>org.scala-lang</groupId>\n      \
                   <artifactId>scala-library</artifactId>\n      <version>2.13.16</version>\n    </dependency>",
    build: include_str!("first/scala.xml.in"),
};

pub(super) const FIRST: &[First] = &[
    First {
        words: &["java"],
        title: "Java",
        alone: Some(|place| Draft::new(place, &[("Parse.java", ALONE)], "Parse.java")),
        project: Some(|place| project(place, &JAVA)),
        home: |place| home(place, &JAVA),
        inside: |place| inside(place, &JAVA),
    },
    First {
        words: &["kotlin", "kt"],
        title: "Kotlin",
        alone: None,
        project: Some(|place| project(place, &KOTLIN)),
        home: |place| home(place, &KOTLIN),
        inside: |place| inside(place, &KOTLIN),
    },
    First {
        words: &["scala"],
        title: "Scala",
        alone: None,
        project: Some(|place| project(place, &SCALA)),
        home: |place| home(place, &SCALA),
        inside: |place| inside(place, &SCALA),
    },
];

fn project(place: &NewProject, kind: &Kind) -> Draft {
    let source = file(kind, "main");
    Draft::new(place, &[(POM, PROJECT), (&source, kind.source)], RUN)
        .with("@dependencies@", kind.dependencies)
        .with("@build@", kind.build.trim_end())
}

fn file(kind: &Kind, set: &str) -> String {
    format!("src/{set}/{}/bench/ParseBenchmark.{}", kind.folder, kind.suffix)
}

fn manifest(place: &NewProject) -> Option<&'static str> {
    [POM].into_iter().chain(MANIFESTS).find(|name| place.has(name))
}

/// A project belongs to Kotlin or Scala if its manifest compiles that language, else to Java.
fn home(place: &NewProject, kind: &Kind) -> Option<String> {
    let manifest = manifest(place)?;
    let text = place.read(manifest);
    let compiles = |kind: &Kind| {
        [
            format!("{}-maven-plugin", kind.word),
            format!("{}(\"", kind.word),
            format!("'{}'", kind.word),
            format!("org.jetbrains.{}", kind.word),
        ]
        .iter()
        .any(|sign| text.contains(sign.as_str()))
    };
    let own = [&KOTLIN, &SCALA].into_iter().find(|kind| compiles(kind)).unwrap_or(&JAVA);
    (own.word == kind.word).then(|| manifest.to_owned())
}

/// Among the tests, so that the project's product does not change.
fn inside(place: &NewProject, kind: &Kind) -> Inside {
    let Some(manifest) = manifest(place) else { return Inside::None };
    // A project that `tare init` wrote has it among the main sources.
    let sets = ["main", "test"].map(|set| file(kind, set));
    let source = sets.iter().find(|path| place.has(path)).unwrap_or(&sets[1]).clone();
    let mut draft = Draft::new(place, &[(&source, kind.source)], RUN);
    if !place.read(manifest).contains("jmh") {
        draft = draft.adding(manifest, &dependency(manifest));
    }
    Inside::Project(manifest.to_owned(), draft)
}

fn dependency(manifest: &str) -> String {
    if manifest == POM {
        return format!(
            "<dependency>\n  <groupId>org.openjdk.jmh</groupId>\n  <artifactId>jmh-core</artifactId>\n  \
             <version>{JMH}</version>\n  <scope>test</scope>\n</dependency>\n"
        );
    }
    let name = format!("org.openjdk.jmh:jmh-core:{JMH}");
    let line = if manifest.ends_with(".kts") { format!("(\"{name}\")") } else { format!(" '{name}'") };
    format!("dependencies {{\n    testImplementation{line}\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_project_is_of_the_language_that_its_manifest_compiles() {
        for (name, text, language) in [
            ("pom.xml", "<project/>", "Java"),
            ("pom.xml", "<artifactId>kotlin-maven-plugin</artifactId>", "Kotlin"),
            ("pom.xml", "<artifactId>scala-maven-plugin</artifactId>", "Scala"),
            ("build.gradle", "plugins { id 'java' }", "Java"),
            ("build.gradle", "plugins { id 'scala' }", "Scala"),
            ("build.gradle", "plugins { id 'org.jetbrains.kotlin.jvm' version '2.1.21' }", "Kotlin"),
            ("build.gradle.kts", "plugins { kotlin(\"jvm\") version \"2.1.21\" }", "Kotlin"),
            ("build.gradle.kts", "plugins { `java-library` }", "Java"),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            fs::write(folder.path().join(name), text).expect("written");
            let place = NewProject::new(folder.path());
            let homes: Vec<&str> =
                FIRST.iter().filter(|first| (first.home)(&place).is_some()).map(|first| first.title).collect();
            assert_eq!(homes, [language], "{name}: {text}");
        }
    }

    #[test]
    fn each_manifest_gets_lines_in_its_own_words() {
        assert!(dependency("pom.xml").contains("<scope>test</scope>"));
        assert!(dependency("build.gradle").contains("testImplementation 'org.openjdk.jmh:jmh-core:1.37'"));
        assert!(dependency("build.gradle.kts").contains("testImplementation(\"org.openjdk.jmh:jmh-core:1.37\")"));
    }
}
