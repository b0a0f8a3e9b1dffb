use super::*;
use std::os::unix::fs::symlink;
use tare_model::Better;

/// A pass with a shell script that has `patience` for each reply; `end` is the reply to the last signal.
fn pass(script: &str, patience: Duration) -> Result<(LaunchChange, Findings), String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("made")).expect("a folder");
    let made = folder.path().join("made");
    symlink("/etc/passwd", made.join("link")).expect("a link");
    std::fs::write(folder.path().join("secret"), "x").expect("written");
    std::fs::write(made.join("good"), "content").expect("written");
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    let mut external = External::new("calls", command, folder.path());
    let subject = Subject {
        key: "k".to_owned(),
        group: String::new(),
        name: "n".to_owned(),
        parameters: Vec::new(),
        job: 0,
        program: "p".to_owned(),
        language: "c".to_owned(),
        compiles_late: false,
        declares: false,
        code: None,
        side: None,
        threads: 1,
        iterations: 2,
        invocations: 10,
        depth: None,
        folder: Some(made),
        patience,
    };
    let mut whole = || -> Result<(LaunchChange, Findings), String> {
        let change = external.begin(&subject)?;
        let part = crate::Part { iteration: 0, which: tare_model::Loop::Workload, invocations: 1 };
        for signal in
            [Signal::Started { pid: 1 }, Signal::Opened { loop_address: None }, Signal::Before { part }, Signal::Ended]
        {
            external.signal(&signal)?;
        }
        Ok((change, external.findings()?))
    };
    let found = whole();
    external.end();
    found
}

const LONG: Duration = Duration::from_secs(60);
const READY: &str = "read l; echo '{\"reply\":\"ready\",\"environment\":{\"A\":\"1\"},\"new\":1}'";
const OK: &str = "for n in 1 2 3; do read l; echo '{\"reply\":\"ok\"}'; done; read l";

/// The findings from a result, given as its JSON members.
fn result(members: &str) -> Result<Findings, String> {
    pass(&format!("{READY}; {OK}; echo '{{\"reply\":\"result\",{members}}}'"), LONG).map(|(_, findings)| findings)
}

#[test]
fn metrics_attachments_and_findings_are_taken_in() {
    let found = pass(
        &format!(
            "{READY}; {OK}; echo '{{\"reply\":\"result\",\"metrics\":[{{\"name\":\"calls\",\"values\":[1,2],\"better\":\"lower\"}}],\
             \"attachments\":[{{\"name\":\"a.txt\",\"media_type\":\"text/plain\",\"text\":\"hello\"}},{{\"name\":\"b\",\"file\":\"good\"}}],\
             \"findings\":[{{\"severity\":\"warning\",\"text\":\"many\"}}]}}'"
        ),
        LONG,
    );
    let (change, findings) = found.expect("a pass");
    assert_eq!(change.environment["A"], "1");
    let (metric, values) = &findings.metrics[0];
    assert_eq!((metric.name.as_str(), metric.better, values.as_slice()), ("calls", Better::Lower, &[1.0, 2.0][..]));
    assert_eq!(findings.files[0].content.as_deref(), Ok(&b"hello"[..]));
    assert_eq!(findings.files[1].content.as_deref(), Ok(&b"content"[..]));
    assert_eq!(findings.files[1].media_type, "application/octet-stream");
    assert!(findings.remarks[0].is_warning);
}

#[test]
fn each_way_to_misbehave_is_one_named_failure() {
    let short = Duration::from_millis(50);
    for (script, patience, words) in [
        ("exec sleep 1000", short, "did not reply to `begin` within 0.05 s"),
        ("read l; echo rubbish", LONG, "its reply to `begin` is not valid: "),
        ("read l; echo '{\"reply\":\"maybe\"}'", LONG, "unknown variant `maybe`"),
        ("echo oh no >&2; exit 3", LONG, "ended before it replied to `begin`: exit status 3"),
        ("read l; yes '' | tr '\\n' x", LONG, "longer than 4 MiB"),
        ("read l; echo '{\"reply\":\"ok\"}'; sleep 1000", LONG, "replied `ok` to `begin` instead of `ready`"),
        ("read l; echo '{\"reply\":\"error\",\"message\":\"no right\"}'", LONG, "it says: no right"),
        ("read l; kill -9 $$", LONG, "killed by signal 9"),
    ] {
        let why = pass(script, patience).expect_err(script);
        assert!(why.contains(words), "{script}: {why}");
    }
    // Many lines in place of one.
    let flood = format!("{READY}; while echo '{{\"reply\":\"ok\"}}'; do :; done");
    let why = pass(&flood, LONG).expect_err("a flood");
    assert!(why.contains("replied `ok` to `ended`") || why.contains("not requested"), "{why}");
}

#[test]
fn a_wrong_value_costs_the_pass_and_a_wrong_attachment_itself() {
    for (members, words) in [
        (r#""metrics":[{"name":"Two words","values":[1,2]}]"#, "not `Two words`"),
        (r#""metrics":[{"name":"a","values":[1]}]"#, "`a` has 1 values for 2 iterations"),
        (r#""metrics":[{"name":"a","values":[1,-2]}]"#, "`a` has the value -2"),
        (r#""metrics":[{"name":"a","per":"second","values":[1,2]}]"#, "not `operation` or `iteration`"),
        (r#""metrics":[{"name":"a","values":[1,2]},{"name":"a","values":[1,2]}]"#, "two metrics"),
        (r#""attachments":[{"name":"a","text":""},{"name":"a","text":""}]"#, "two attachments"),
    ] {
        let why = result(members).expect_err(members);
        assert!(why.contains(words), "{members}: {why}");
    }
    for (member, words) in [
        (r#""file":"../secret""#, "is not the name of a file in the folder"),
        (r#""file":"/etc/passwd""#, "is not the name of a file in the folder"),
        (r#""file":"..""#, "is not the name of a file in the folder"),
        (r#""file":"link""#, "is not a regular file"),
        (r#""file":"missing""#, "cannot be read"),
        (r#""title":"neither""#, "needs either"),
    ] {
        let members = format!(r#""metrics":[{{"name":"a","values":[1,2]}}],"attachments":[{{"name":"x",{member}}}]"#);
        let found = result(&members).expect(member);
        let why = found.files[0].content.clone().expect_err(member);
        assert!(why.contains(words) && found.metrics.len() == 1, "{member}: {why}");
    }
}
