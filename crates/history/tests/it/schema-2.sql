-- A history of schema 2, as earlier versions of Tare made it.
CREATE TABLE machine (
    id INTEGER PRIMARY KEY,
    cpu TEXT NOT NULL,
    processors INTEGER NOT NULL,
    architecture TEXT NOT NULL,
    UNIQUE (cpu, processors, architecture)
);
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL UNIQUE,
    created TEXT NOT NULL,
    machine INTEGER NOT NULL REFERENCES machine (id),
    tare TEXT NOT NULL,
    method TEXT NOT NULL,
    os TEXT NOT NULL,
    revision TEXT,
    dirty INTEGER NOT NULL,
    cycle_ns REAL,
    minimum_effect REAL NOT NULL,
    command TEXT NOT NULL
);
CREATE INDEX run_by_time ON run (machine, created);
CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    job TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (key, job)
);
CREATE TABLE build (
    id INTEGER PRIMARY KEY,
    compiler TEXT NOT NULL,
    flags TEXT NOT NULL,
    UNIQUE (compiler, flags)
);
CREATE TABLE base (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    identity TEXT NOT NULL UNIQUE
);
CREATE TABLE point (
    series INTEGER NOT NULL REFERENCES series (id),
    run INTEGER NOT NULL REFERENCES run (id),
    build INTEGER NOT NULL REFERENCES build (id),
    time_ns REAL,
    lower_ns REAL,
    upper_ns REAL,
    is_cpu_time INTEGER NOT NULL,
    is_shared INTEGER NOT NULL,
    at_reference INTEGER NOT NULL,
    base INTEGER REFERENCES base (id),
    ratio REAL,
    ratio_lower REAL,
    ratio_upper REAL,
    PRIMARY KEY (series, run)
) WITHOUT ROWID;
CREATE INDEX point_by_run ON point (run);
ALTER TABLE run ADD COLUMN failed TEXT NOT NULL DEFAULT '[]';
INSERT INTO machine VALUES (1, 'one', 2, 'x86_64');
INSERT INTO run VALUES (1, '00000001', '2026-01-02T00:00:00Z', 1, '0.1.0', 'waves-2', 'Debian', NULL, 0, 0.25, 0.01, '["tare"]', '[]');
INSERT INTO run VALUES (2, '00000002', '2026-01-03T00:00:00Z', 1, '0.1.0', 'waves-2', 'Debian', 'abcdef', 1, NULL, 0.01, '["tare"]',
    '[{"name":"g/b","why":"exit status 1"}]');
INSERT INTO series VALUES (1, 'a', '', 'g/a');
INSERT INTO build VALUES (1, 'gcc 12', '-O2');
INSERT INTO base VALUES (1, 'g/b', 'case b');
INSERT INTO point VALUES (1, 1, 1, 10.0, 9.0, 11.0, 0, 0, 1, NULL, NULL, NULL, NULL);
INSERT INTO point VALUES (1, 2, 1, 11.0, 10.0, 12.0, 0, 1, 1, 1, 1.5, 1.4, 1.6);
PRAGMA user_version = 2;
PRAGMA application_id = 1413567045;
