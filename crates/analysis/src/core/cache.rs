//! Limits the inputs prepared at a time, so that they are still in the core's cache when the body reads them.

use tare_model::Environment;

/// Share of the cache for prepared inputs: the rest is for the body's own data.
const SHARE: f64 = 0.5;
/// Assumed cache of a core if the machine does not report it, as in the smallest processors in use, bytes.
const UNKNOWN_BYTES: u64 = 512 << 10;
/// Cache level that is private to a core nearly everywhere.
const LEVEL: u32 = 2;

pub fn cache_bytes(environment: &Environment) -> u64 {
    let caches = environment.caches.iter().filter(|cache| cache.kind != "instruction" && cache.level <= LEVEL);
    caches.max_by_key(|cache| (cache.level, cache.size_bytes)).map_or(UNKNOWN_BYTES, |cache| cache.size_bytes)
}

/// Bytes of it that the inputs of one iteration may take.
pub fn room_bytes(environment: &Environment) -> u64 {
    (SHARE * cache_bytes(environment) as f64) as u64
}

#[cfg(test)]
mod tests {
    use super::{cache_bytes, room_bytes};
    use tare_model::{Cache, Environment};

    #[test]
    fn the_cache_of_a_core_is_the_second_level() {
        let cache = |level, kind: &str, size_bytes| Cache { level, kind: kind.to_owned(), size_bytes };
        let of = |caches: Vec<Cache>| Environment { caches, ..Environment::default() };
        let all = of(vec![
            cache(1, "data", 32 << 10),
            cache(1, "instruction", 64 << 10),
            cache(2, "unified", 1 << 20),
            cache(3, "unified", 32 << 20),
        ]);
        assert_eq!((cache_bytes(&all), room_bytes(&all)), (1 << 20, 512 << 10));
        assert_eq!(cache_bytes(&of(vec![cache(1, "data", 32 << 10), cache(1, "instruction", 64 << 10)])), 32 << 10);
        assert_eq!(cache_bytes(&of(Vec::new())), 512 << 10, "a machine that does not say");
    }
}
