// Builds the npm packages: `tare` with the front end and the command, and one with the program for this platform.
//
//     node packaging/build.mjs FOLDER
//
// `TARE_PROGRAM` names the program; without it, cargo builds it. Nothing is uploaded.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FRONT_END = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const ROOT = path.join(FRONT_END, '..', '..');
/** `process.platform` and `process.arch` of the platforms that have a program. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const own = JSON.parse(fs.readFileSync(path.join(FRONT_END, 'package.json'), 'utf8'));
const platform = process.env.TARE_NPM_PLATFORM ?? `${process.platform}-${process.arch}`;

/** The path of the program, which is built unless `TARE_PROGRAM` names it. */
function program() {
  if (process.env.TARE_PROGRAM) {
    return process.env.TARE_PROGRAM;
  }
  execFileSync('cargo', ['build', '--release', '-p', 'tare-cli'], { cwd: ROOT, stdio: 'inherit' });
  return path.join(process.env.CARGO_TARGET_DIR ?? path.join(ROOT, 'target'), 'release', 'tare');
}

/** npm packs files with these names only if they are listed. */
const LICENCES = ['LICENSE-MIT', 'LICENSE-APACHE'];

/** Packs a package with these contents, and returns its file. */
function packed(folder, fill, out) {
  fs.mkdirSync(folder, { recursive: true });
  fill(folder);
  for (const licence of LICENCES) {
    fs.copyFileSync(path.join(ROOT, licence), path.join(folder, licence));
  }
  const words = ['pack', folder, '--pack-destination', out, '--offline', '--loglevel=error'];
  return execFileSync('npm', words, { encoding: 'utf8' }).trim().split('\n').pop();
}

function write(folder, manifest) {
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The front end, and a command that starts the platform's program. */
function frontEnd(folder) {
  for (const name of [...own.files, 'package.json']) {
    fs.cpSync(path.join(FRONT_END, name), path.join(folder, name), { recursive: true });
  }
  const optionalDependencies = Object.fromEntries(PLATFORMS.map((one) => [`@tare/${one}`, own.version]));
  write(folder, { ...own, bin: { tare: 'packaging/tare.js' }, files: [...own.files, 'packaging/tare.js', ...LICENCES], optionalDependencies });
  fs.mkdirSync(path.join(folder, 'packaging'));
  fs.copyFileSync(path.join(FRONT_END, 'packaging', 'tare.js'), path.join(folder, 'packaging', 'tare.js'));
}

/** Only the program. */
function ofPlatform(folder) {
  const [system, processor] = platform.split('-');
  fs.mkdirSync(path.join(folder, 'bin'));
  fs.copyFileSync(program(), path.join(folder, 'bin', 'tare'));
  fs.chmodSync(path.join(folder, 'bin', 'tare'), 0o755);
  const { version, license } = own;
  const description = `The program tare for ${platform}`;
  const name = `@tare/${platform}`;
  fs.writeFileSync(path.join(folder, 'README.md'), `# ${name}\n\n${description}. The package \`tare\` brings it along.\n`);
  write(folder, { name, version, description, license, os: [system], cpu: [processor], files: ['bin', ...LICENCES] });
}

const out = path.resolve(process.argv[2] ?? '.');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'tare-npm-'));
try {
  fs.mkdirSync(out, { recursive: true });
  console.log(packed(path.join(scratch, 'front-end'), frontEnd, out));
  console.log(packed(path.join(scratch, 'platform'), ofPlatform, out));
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
