//! Rows shared by many values: benchmarks, builds, bases, machines.

use crate::engine::{execute, places, Engine, Odd, Row, Value, VALUES_MAX};
use crate::HistoryError;
use std::collections::{BTreeMap, HashMap};

/// A table whose rows are identified by some of their texts.
pub(crate) struct Table {
    pub name: &'static str,
    pub keys: &'static [&'static str],
    pub others: &'static [&'static str],
    /// The other texts are updated to the latest.
    pub is_renamed: bool,
}

pub(crate) struct Names {
    found: HashMap<Vec<String>, i64>,
}

impl Names {
    /// The numbers of rows by their keys; missing rows are added. The caller has started a write transaction.
    pub(crate) fn of(
        engine: &mut dyn Engine,
        table: &Table,
        mut wanted: BTreeMap<Vec<String>, Vec<String>>,
    ) -> Result<Names, HistoryError> {
        let mut found = HashMap::with_capacity(wanted.len());
        let mut renamed = Vec::new();
        let (name, keys) = (table.name, table.keys.join(", "));
        let all = [table.keys, table.others].concat();
        let listed = all.join(", ");
        let asked: Vec<Vec<String>> = wanted.keys().cloned().collect();
        for some in asked.chunks(VALUES_MAX / all.len()) {
            let places = places(some.len(), table.keys.len());
            let sql = format!("SELECT id, {listed} FROM {name} WHERE ({keys}) IN (VALUES {places})");
            engine.query(&sql, &values(some), &mut |row| {
                let (id, mut texts) = texts_of(row, all.len())?;
                let others = texts.split_off(table.keys.len());
                renamed.extend(wanted.remove(&texts).filter(|now| *now != others).map(|now| (id, now)));
                found.insert(texts, id);
                Ok(())
            })?;
        }
        for (id, now) in renamed.iter().filter(|_| table.is_renamed) {
            for (column, text) in table.others.iter().zip(now) {
                execute(
                    engine,
                    &format!("UPDATE {name} SET {column} = ?1 WHERE id = ?2"),
                    &[text.into(), (*id).into()],
                )?;
            }
        }
        let rows: Vec<Vec<String>> = wanted.into_iter().map(|(keys, others)| [keys, others].concat()).collect();
        for some in rows.chunks(VALUES_MAX / all.len()) {
            let places = places(some.len(), all.len());
            let sql = format!("INSERT INTO {name} ({listed}) VALUES {places} RETURNING id, {listed}");
            engine.query(&sql, &values(some), &mut |row| {
                let (id, mut texts) = texts_of(row, all.len())?;
                texts.truncate(table.keys.len());
                found.insert(texts, id);
                Ok(())
            })?;
        }
        Ok(Names { found })
    }

    pub(crate) fn id(&self, keys: &[String]) -> Option<i64> {
        self.found.get(keys).copied()
    }
}

fn texts_of(row: &mut Row, count: usize) -> Result<(i64, Vec<String>), Odd> {
    Ok((row.int(0)?, (1..=count).map(|column| row.text(column)).collect::<Result<Vec<String>, Odd>>()?))
}

fn values(rows: &[Vec<String>]) -> Vec<Value> {
    rows.iter().flatten().map(Value::from).collect()
}
