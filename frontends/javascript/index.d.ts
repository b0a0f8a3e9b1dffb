/** The values of a parameter. */
export type Values = readonly unknown[];

/** The parameters of one benchmark, each with one of its values. */
export type Parameters<P extends Record<string, Values>> = { [K in keyof P]: P[K][number] };

export interface Options<P extends Record<string, Values>, S> {
  /** Whether the other benchmarks of the group are compared with this one. */
  baseline?: boolean;
  /** Values of each parameter. Each combination is a benchmark. */
  params?: P;
  /** Runs once per process, before anything is measured. Its result is passed to the body and the other steps. */
  setup?: (parameters: Parameters<P>) => S | Promise<S>;
  /** Runs once per process, at the end. */
  teardown?: (state: S) => unknown;
  /** Runs before each iteration, untimed. An iteration then has one invocation, unless `invocationsMax` allows more. */
  iterationSetup?: (state: S) => unknown;
  /** Runs after each iteration, untimed. */
  iterationTeardown?: (state: S) => unknown;
  /** Operations per invocation. Times are shown per operation. */
  operations?: number | ((state: S) => number);
  /** Returns the operations per invocation of the last iteration. */
  iterationOperations?: (state: S) => number;
  /** The name of an operation; by default `op`. */
  unit?: string;
  /** Bytes processed per invocation, shown per second. */
  bytes?: number | ((state: S) => number);
  /** Other amounts processed per invocation, by name, shown per second. */
  rates?: Record<string, number | ((state: S) => number)>;
  /** Skips the benchmark, with a reason if it is a string. */
  skip?: string | boolean;
  /** Measures only benchmarks with this option. */
  only?: boolean;
  /** Categories for filters. */
  categories?: string[];
  /** Diagnosers to run for this benchmark in every run, as `tare run --diagnose` does for all. */
  diagnose?: string[];
  /** A description of one line. */
  description?: string;
  /** Measures only the first call in a process. */
  coldStart?: boolean;
  /** Measures single calls, and drops none. */
  monitoring?: boolean;
  /** The body sleeps or waits for others, so that only its wall time counts. */
  waits?: boolean;
  /** Whether results are awaited; by default, the first call decides. */
  awaits?: boolean;
  /** Threads that the body uses; 0 if unknown. */
  threads?: number;
  /** Each invocation returns a different result on purpose. */
  resultsChange?: boolean;
  /** It returns a different result than others of its group on purpose. */
  resultsDiffer?: boolean;
  /** The maximum number of invocations per iteration, if each uses something up. */
  invocationsMax?: number;
  /** The body returns its own time in nanoseconds. */
  ownTime?: boolean;
  /** The length of a visit in seconds; by default about 0.001. */
  visitTime?: number;
}

/** A body: a function, possibly asynchronous; or a generator that sets up, yields the function, and is resumed for the clean-up. */
export type Body<S> = ((state: S) => unknown) | ((state: S) => Generator<(...none: never[]) => unknown> | AsyncGenerator<(...none: never[]) => unknown>);

interface Bench {
  /** Declares a benchmark: `bench('group/name', body, options)`. Without `setup` the body gets the parameters. */
  <const P extends Record<string, Values> = {}, S = Parameters<P>>(name: string, body: Body<S>, options?: Options<P, S>): void;
}

export const bench: Bench & { skip: Bench; only: Bench };

/** Declares a group: the benchmarks declared by `declare` are compared with each other. */
export function group(name: string, declare: () => void): void;

/** Returns `value` unchanged, but hides it from the optimiser, which therefore cannot precompute with it. */
export function input<T>(value: T): T;

/**
 * Makes something, such as a large file, in one process of the run. All other processes get the same value. `make` gets a folder that
 * lasts as long as the run.
 */
export function once<T>(name: string, make: (folder: string) => T): T;

/** Runs a program that was started directly: turns it into `tare run`, or runs each body once if there is no `tare`. Files started by `tare run` do not need it. */
export function main(): Promise<void>;
