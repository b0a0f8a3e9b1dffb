/** The values of a parameter. */
export type Values = readonly unknown[];

/** The parameters of one benchmark, each with one of its values. */
export type Parameters<P extends Record<string, Values>> = { [K in keyof P]: P[K][number] };

export interface Options<P extends Record<string, Values>, S> {
  /** The other benchmarks of the group are compared with this one. */
  baseline?: boolean;
  /** Values of each parameter: there is a benchmark for each combination. */
  params?: P;
  /** Runs once in each process, before anything is measured. What it returns is given to the body and to the other steps. */
  setup?: (parameters: Parameters<P>) => S | Promise<S>;
  /** Runs once in each process, at the end. */
  teardown?: (state: S) => unknown;
  /** Runs before each iteration, untimed. An iteration then has one invocation, unless `invocationsMax` allows more. */
  iterationSetup?: (state: S) => unknown;
  /** Runs after each iteration, untimed. */
  iterationTeardown?: (state: S) => unknown;
  /** Operations that one invocation does: times are shown per operation. */
  operations?: number | ((state: S) => number);
  /** Operations that each invocation of the last iteration did. */
  iterationOperations?: (state: S) => number;
  /** The name of an operation; by default `op`. */
  unit?: string;
  /** Bytes that one invocation processes, shown per second. */
  bytes?: number | ((state: S) => number);
  /** Other amounts that one invocation processes, by name, shown per second. */
  rates?: Record<string, number | ((state: S) => number)>;
  /** Not measured, for this reason. */
  skip?: string | boolean;
  /** Only benchmarks that are marked so are measured. */
  only?: boolean;
  /** For filters. */
  categories?: string[];
  /** Diagnosers that look at it in every run, as `tare run --diagnose` has them look at all. */
  diagnose?: string[];
  /** One line. */
  description?: string;
  /** The first call in a process. */
  coldStart?: boolean;
  /** Single calls, and nothing is dropped. */
  monitoring?: boolean;
  /** The body sleeps, or waits for others: only its wall time counts. */
  waits?: boolean;
  /** Whether results are awaited; else the first call decides. */
  awaits?: boolean;
  /** Threads that the body uses; 0 if unknown. */
  threads?: number;
  /** Each invocation returns something else. */
  resultsChange?: boolean;
  /** It returns something else than others of its group. */
  resultsDiffer?: boolean;
  /** Most invocations of an iteration, because each uses up something. */
  invocationsMax?: number;
  /** The body returns how long it took, in nanoseconds, and that is its time. */
  ownTime?: boolean;
  /** Length of a visit in seconds; by default about 0.001. */
  visitTime?: number;
}

/** A body: a function, also an asynchronous one; or a generator that sets up, yields the function, and is resumed for the clean-up. */
export type Body<S> = ((state: S) => unknown) | ((state: S) => Generator<(...none: never[]) => unknown> | AsyncGenerator<(...none: never[]) => unknown>);

interface Bench {
  /** Declares a benchmark: `bench('group/name', body, options)`. Without `setup` the body gets the parameters. */
  <const P extends Record<string, Values> = {}, S = Parameters<P>>(name: string, body: Body<S>, options?: Options<P, S>): void;
}

export const bench: Bench & { skip: Bench; only: Bench };

/** Declares benchmarks that are compared with each other: those that `declare` declares. */
export function group(name: string, declare: () => void): void;

/** Gives a value back; the optimiser cannot tell which one, and so cannot compute with it beforehand. */
export function input<T>(value: T): T;

/**
 * Makes something in one process of the run, such as a large file; all other processes get the same value. `make` gets a folder that
 * lasts as long as the run.
 */
export function once<T>(name: string, make: (folder: string) => T): T;

/** For a program that is started by itself: becomes `tare run` of it, or runs each body once where there is no `tare`. In a file that `tare run` starts it is not needed. */
export function main(): Promise<void>;
