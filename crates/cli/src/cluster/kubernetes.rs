//! A manifest for Kubernetes: an indexed job, a pod for each part. It is printed, and applied by its user.

use std::fmt::Write;

/// What the user says of the pods.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pod {
    /// The image that has what the programs need.
    pub image: Option<String>,
    /// The claim of the volume that the project is on.
    pub claim: Option<String>,
    /// Where that volume is, in pods as here.
    pub mount: Option<String>,
    /// Processors of each pod.
    pub processors: Option<u32>,
}

impl Pod {
    /// `image=x claim=y mount=/z cpus=4`.
    pub(crate) fn of(words: &[String]) -> Result<Pod, String> {
        let mut pod = Pod::default();
        for word in words {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let is_plain = !value.is_empty() && !value.contains(|c: char| c.is_control() || "\"\\".contains(c));
            let value = is_plain.then(|| value.to_owned());
            match (name, value) {
                ("image", Some(image)) => pod.image = Some(image),
                ("claim", Some(claim)) => pod.claim = Some(claim),
                ("mount", Some(mount)) => pod.mount = Some(mount),
                ("cpus", Some(cpus)) if cpus.parse().is_ok_and(|cpus: u32| cpus > 0) => {
                    pod.processors = cpus.parse().ok();
                }
                _ => return Err(format!("`{word}` is not one of image=NAME, claim=NAME, mount=PATH, cpus=N")),
            }
        }
        Ok(pod)
    }
}

/// What a manifest is made of.
#[derive(Debug, Clone, Copy)]
pub struct Manifest<'a> {
    /// The id of the run.
    pub id: &'a str,
    /// How many parts it has.
    pub parts: usize,
    /// What each pod runs.
    pub script: &'a str,
    /// Where it runs.
    pub directory: &'a str,
    /// What the user says of the pods.
    pub pod: &'a Pod,
}

/// Processors of a pod where the user names none: one to measure on, and one for all else.
const PROCESSORS: u32 = 2;

/// The text of the manifest.
pub fn manifest(of: &Manifest) -> String {
    let Manifest { id, parts, script, directory, pod } = of;
    let image = pod.image.as_deref().unwrap_or("IMAGE");
    let claim = pod.claim.as_deref().unwrap_or("CLAIM");
    let mount = pod.mount.as_deref().unwrap_or(directory);
    let processors = pod.processors.unwrap_or(PROCESSORS);
    let mut text = String::new();
    text.push_str("# This manifest has not been tested on a cluster: read it before you apply it.\n");
    for (given, what) in [
        (&pod.image, "IMAGE: an image with what the programs need to run (libraries, interpreters)"),
        (&pod.claim, "CLAIM: the claim of the volume that holds the project, writable from all pods"),
    ] {
        if given.is_none() {
            let _ = writeln!(text, "# Replace {what}.");
        }
    }
    let _ = write!(
        text,
        r#"apiVersion: batch/v1
kind: Job
metadata:
  name: tare-{id}
spec:
  completionMode: Indexed
  completions: {parts}
  parallelism: {parts}
  backoffLimit: {backoff}
  template:
    metadata:
      labels:
        tare-run: "{id}"
    spec:
      restartPolicy: Never
      # One part on a node at a time.
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: kubernetes.io/hostname
              labelSelector:
                matchExpressions:
                  - {{key: tare-run, operator: Exists}}
      containers:
        - name: tare
          image: "{image}"
          workingDir: "{directory}"
          command: ["/bin/sh", "{script}"]
          env:
            - name: TARE_NODE
              valueFrom: {{fieldRef: {{fieldPath: spec.nodeName}}}}
          # Equal and whole: with the static CPU manager the pod has these processors to itself.
          resources:
            requests: {{cpu: "{processors}", memory: 2Gi}}
            limits: {{cpu: "{processors}", memory: 2Gi}}
          volumeMounts:
            - name: project
              mountPath: "{mount}"
      volumes:
        - name: project
          persistentVolumeClaim:
            claimName: "{claim}"
"#,
        backoff = parts * 2,
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_has_a_pod_for_each_part() {
        let of = |words: &[&str]| {
            let pod = Pod::of(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).expect("a pod");
            manifest(&Manifest { id: "7f3a", parts: 13, script: "/p/job.sh", directory: "/p", pod: &pod })
        };
        let plain = of(&[]);
        for part in [
            "has not been tested",
            "# Replace IMAGE",
            "# Replace CLAIM",
            "completions: 13",
            "completionMode: Indexed",
            "name: tare-7f3a",
            "command: [\"/bin/sh\", \"/p/job.sh\"]",
            "mountPath: \"/p\"",
        ] {
            assert!(plain.contains(part), "{part}\n{plain}");
        }
        let given = of(&["image=debian:12", "claim=home", "mount=/home", "cpus=4"]);
        for part in ["image: \"debian:12\"", "claimName: \"home\"", "mountPath: \"/home\"", "cpu: \"4\""] {
            assert!(given.contains(part), "{part}\n{given}");
        }
        assert!(!given.contains("# Replace"), "{given}");
    }

    #[test]
    fn what_a_pod_is_not_made_of_is_refused() {
        for word in ["images=x", "image", "image=", "cpus=0", "cpus=two", "claim=a\"b"] {
            assert!(Pod::of(&[word.to_owned()]).is_err(), "{word}");
        }
    }
}
