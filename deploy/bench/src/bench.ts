import { globSync } from 'node:fs'

/** `npm run bench -- <name>`: runs one benchmark, `<name>/bench-<name>.ts`, which reads the options after its name. */
const names = globSync('*/bench-*.ts', { cwd: import.meta.dirname })
  .map((file) => file.split('/')[0] ?? '')
  .sort()
const [name = ''] = process.argv.splice(2, 1)
if (names.includes(name)) await import(`./${name}/bench-${name}.ts`)
else {
  console.error(`usage: npm run bench -- <${names.join('|')}> [options]`)
  process.exitCode = 1
}
