// The seven tasks in JavaScript; README.md has what they are.

import { createHash } from 'node:crypto';
import { bench } from 'tare';

/** The same numbers in all languages. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state;
  };
}

const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));

bench('parse64/javascript', (texts) => {
  let sum = 0;
  for (const text of texts) {
    sum += parseInt(text, 10);
  }
  return sum;
}, {
  setup() {
    const next = numbers(1);
    return times(64, () => String(100000000 + next() % 900000000));
  },
});

bench('sha256/javascript', (data) => createHash('sha256').update(data).digest().readUInt32BE(0), {
  setup: () => Buffer.from(times(10000, (i) => i % 251)),
});

bench('sort64/javascript', (lists) => {
  let sum = 0;
  for (const list of lists) {
    sum += list.slice().sort()[32];
  }
  return sum;
}, {
  setup() {
    const next = numbers(2);
    return times(64, () => Int32Array.from(times(64, () => next() >> 4)));
  },
});

bench('json/javascript', (text) => {
  let sum = 0;
  for (const item of JSON.parse(text)) {
    sum += item.id + item.price + item.tags.length + (item.active ? 1 : 0);
  }
  return sum;
}, {
  setup() {
    const item = (i) => `{"id":${i},"name":"item ${i}","price":${i}.25,"tags":["red","green"],"active":${i % 2 === 0}}`;
    return `[${times(50, item).join(',')}]`;
  },
});

class Body {
  constructor(x, y, z, vx, vy, vz, mass) {
    Object.assign(this, { x, y, z, vx, vy, vz, mass });
  }
}

const SOLAR_MASS = 4 * Math.PI * Math.PI;
const YEAR = 365.24;
const PLANETS = [
  [0, 0, 0, 0, 0, 0, 1],
  [4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01, 1.66007664274403694e-03,
    7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04],
  [8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01, -2.76742510726411542e-03,
    4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04],
  [1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01, 2.96460137564761618e-03,
    2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05],
  [1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01, 2.68067772490389322e-03,
    1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05],
];

function planets() {
  return PLANETS.map(([x, y, z, vx, vy, vz, mass]) => new Body(x, y, z, vx * YEAR, vy * YEAR, vz * YEAR, mass * SOLAR_MASS));
}

function advance(bodies, dt) {
  for (let i = 0; i < bodies.length; i += 1) {
    const a = bodies[i];
    for (let j = i + 1; j < bodies.length; j += 1) {
      const b = bodies[j];
      const [dx, dy, dz] = [a.x - b.x, a.y - b.y, a.z - b.z];
      const square = dx * dx + dy * dy + dz * dz;
      const scale = dt / (square * Math.sqrt(square));
      a.vx -= dx * b.mass * scale;
      a.vy -= dy * b.mass * scale;
      a.vz -= dz * b.mass * scale;
      b.vx += dx * a.mass * scale;
      b.vy += dy * a.mass * scale;
      b.vz += dz * a.mass * scale;
    }
  }
  for (const a of bodies) {
    a.x += dt * a.vx;
    a.y += dt * a.vy;
    a.z += dt * a.vz;
  }
}

function energy(bodies) {
  let sum = 0;
  for (let i = 0; i < bodies.length; i += 1) {
    const a = bodies[i];
    sum += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
    for (let j = i + 1; j < bodies.length; j += 1) {
      const b = bodies[j];
      const [dx, dy, dz] = [a.x - b.x, a.y - b.y, a.z - b.z];
      sum -= a.mass * b.mass / Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
  }
  return sum;
}

bench('nbody/javascript', () => {
  const bodies = planets();
  for (let i = 0; i < 100; i += 1) {
    advance(bodies, 0.01);
  }
  return energy(bodies);
});

bench('words/javascript', (text) => {
  const counts = new Map();
  for (const word of text.split(' ')) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  let sum = 0;
  for (const count of counts.values()) {
    sum += count * count;
  }
  return sum;
}, {
  setup() {
    const next = numbers(3);
    return times(1000, () => `word${(next() >> 8) % 50}`).join(' ');
  },
});

bench('fill/javascript', (keys) => {
  const table = new Map();
  for (let i = 0; i < keys.length; i += 1) {
    table.set(keys[i], (table.get(keys[i]) ?? 0) + i);
  }
  return table.size * 1000000 + table.get(keys[0]);
}, {
  setup() {
    const next = numbers(4);
    return times(1000, () => (next() >> 8) % 4096);
  },
});
