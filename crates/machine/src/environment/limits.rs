//! The CPU quota of a container: a benchmark that exhausts it stalls until the next period.

use super::tree::Tree;

const LEVELS: usize = 64;

/// The smallest quota among the process's control groups, in processors. None: no quota, or not visible.
pub(super) fn cpu_quota(tree: Tree) -> Option<f64> {
    let groups = tree.text("proc/self/cgroup")?;
    let mut smallest: Option<f64> = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let version_2 = controllers.is_empty();
        if !version_2 && !controllers.split(',').any(|c| c == "cpu") {
            continue;
        }
        let mounts = match version_2 {
            true => vec!["sys/fs/cgroup".to_owned(), "sys/fs/cgroup/unified".to_owned()],
            false => vec![format!("sys/fs/cgroup/{controllers}"), "sys/fs/cgroup/cpu".to_owned()],
        };
        for mount in mounts {
            for quota in quotas(tree, &mount, path, version_2) {
                smallest = Some(smallest.map_or(quota, |s| s.min(quota)));
            }
        }
    }
    smallest
}

fn quotas(tree: Tree, mount: &str, path: &str, version_2: bool) -> Vec<f64> {
    let mut path = path.trim_end_matches('/');
    let mut found = Vec::new();
    for _ in 0..LEVELS {
        let folder = format!("{mount}{path}");
        found.extend(if version_2 { maximum(tree, &folder) } else { cfs(tree, &folder) });
        let Some((above, _)) = path.rsplit_once('/') else { break };
        path = above;
    }
    found
}

/// `cpu.max` of version 2: `200000 100000` or `max 100000`.
fn maximum(tree: Tree, folder: &str) -> Option<f64> {
    let text = tree.text(&format!("{folder}/cpu.max"))?;
    let (quota, period) = text.split_once(' ')?;
    ratio(quota.parse().ok()?, period.parse().ok()?)
}

/// `cpu.cfs_quota_us` of version 1; -1 means none.
fn cfs(tree: Tree, folder: &str) -> Option<f64> {
    ratio(tree.number(&format!("{folder}/cpu.cfs_quota_us"))?, tree.number(&format!("{folder}/cpu.cfs_period_us"))?)
}

fn ratio(quota: f64, period: f64) -> Option<f64> {
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}
