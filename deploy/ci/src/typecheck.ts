import { runStage } from './stage.ts'

const projects = ['tsconfig.json', 'frontend/tsconfig.json', 'deploy/e2e/tsconfig.json']
const reports = await Promise.all(
  projects.map((project) =>
    runStage({ name: `types of ${project.replaceAll('/', ' ')}`, command: ['tsc', '-p', project] }),
  ),
)
process.exitCode = reports.some(({ failed }) => failed > 0) ? 1 : 0
