//! The tables, for both engines.

/// Creates the tables. `id` is the type of an automatic number, `hashed` the index method for texts of any length. Values are clustered by
/// series, so that a query for one benchmark reads only its values.
pub(crate) fn tables(id: &str, hashed: &str) -> String {
    format!(
        "CREATE TABLE machine (
            id {id},
            cpu TEXT NOT NULL,
            processors BIGINT NOT NULL,
            architecture TEXT NOT NULL
        );
        CREATE TABLE run (
            id {id},
            run TEXT NOT NULL,
            created TEXT NOT NULL,
            project TEXT NOT NULL,
            machine BIGINT NOT NULL REFERENCES machine (id),
            tare TEXT NOT NULL,
            method TEXT NOT NULL,
            os TEXT NOT NULL,
            revision TEXT,
            branch TEXT,
            dirty BOOLEAN NOT NULL,
            cycle_ns DOUBLE PRECISION,
            minimum_effect DOUBLE PRECISION NOT NULL,
            command TEXT NOT NULL,
            failed TEXT NOT NULL,
            UNIQUE (run, created)
        );
        CREATE INDEX run_by_time ON run (project, machine, created);
        CREATE TABLE series (
            id {id},
            project TEXT NOT NULL,
            key TEXT NOT NULL,
            job TEXT NOT NULL,
            name TEXT NOT NULL
        );
        CREATE INDEX series_by_key ON series {hashed} (key);
        CREATE INDEX series_by_project ON series {hashed} (project);
        CREATE TABLE build (
            id {id},
            compiler TEXT NOT NULL,
            flags TEXT NOT NULL
        );
        CREATE TABLE base (
            id {id},
            name TEXT NOT NULL,
            identity TEXT NOT NULL
        );
        CREATE INDEX base_by_identity ON base {hashed} (identity);
        CREATE TABLE point (
            series BIGINT NOT NULL REFERENCES series (id),
            run BIGINT NOT NULL REFERENCES run (id),
            build BIGINT NOT NULL REFERENCES build (id),
            time_ns DOUBLE PRECISION,
            lower_ns DOUBLE PRECISION,
            upper_ns DOUBLE PRECISION,
            is_cpu_time BOOLEAN NOT NULL,
            is_shared BOOLEAN NOT NULL,
            at_reference BOOLEAN NOT NULL,
            base BIGINT REFERENCES base (id),
            ratio DOUBLE PRECISION,
            ratio_lower DOUBLE PRECISION,
            ratio_upper DOUBLE PRECISION,
            PRIMARY KEY (series, run)
        ){rows};
        CREATE INDEX point_by_run ON point (run);
        CREATE TABLE renamed (
            project TEXT NOT NULL,
            old TEXT NOT NULL,
            new TEXT NOT NULL,
            PRIMARY KEY (project, old)
        );
        CREATE TABLE accepted (
            project TEXT NOT NULL,
            key TEXT NOT NULL,
            job TEXT NOT NULL,
            run TEXT NOT NULL,
            created TEXT NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (project, key, job)
        );",
        // SQLite's term for a table that is its own index.
        rows = if hashed.is_empty() { " WITHOUT ROWID" } else { "" },
    )
}
