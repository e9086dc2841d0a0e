import { runStage } from './stage.ts'

/** A fresh build, held against the budgets of first load. */
const build = await runStage({ name: 'build', command: ['npm', 'run', 'build'] })
const size = await runStage({ name: 'first load', command: ['npm', 'run', '--silent', 'size'], live: true })
process.exitCode = build.failed + size.failed > 0 ? 1 : 0
