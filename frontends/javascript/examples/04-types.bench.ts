// TypeScript: the state that `setup` returns has its type in the body.

import { bench, group } from 'tare';

interface Point { x: number; y: number }

group('distance', () => {
  const setup = ({ n }: { n: number }): Point[] => Array.from({ length: n }, (_, i) => ({ x: i, y: 2 * i }));
  const params = { n: [100] };
  bench('hypot', (points: Point[]): number => points.reduce((sum, p) => sum + Math.hypot(p.x, p.y), 0), { params, setup, resultsDiffer: true });
  bench('sqrt', (points: Point[]): number => points.reduce((sum, p) => sum + Math.sqrt(p.x * p.x + p.y * p.y), 0), { params, setup, baseline: true });
});
