import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { endpointsOf } from '@parley/processes/endpoints'
import { startTarget, type Target } from './fuzz/target.ts'
import { reportsFolder, root } from './paths.ts'
import type { Report } from './reports.ts'
import { failStage, passStage, runStage, skipStage } from './stage.ts'
import { attempt, programPath, toolsCache, toolsPath } from './tools/folders.ts'

const requirements = join(root, 'deploy/ci/schemathesis/requirements.txt')
const version = /^schemathesis==(\S+)$/m.exec(readFileSync(requirements, 'utf8'))?.[1]
const folder = join(toolsCache, `schemathesis-${version}`)

/** Environment of its processes: finds the program and its packages, which stand beside those of the machine. */
const schemathesisEnvironment = {
  PATH: [join(folder, 'bin'), toolsPath].join(delimiter),
  PYTHONPATH: folder,
}

/** Schemathesis, which makes calls from an OpenAPI document, from Python's package registry. @returns why it cannot be had. */
function schemathesis(): string | undefined {
  if (existsSync(folder)) return undefined
  const missing = `no Schemathesis in ${folder}`
  if (!programPath('pip')) return `${missing}, and no pip to obtain it`
  console.log('  installing schemathesis')
  const part = `${folder}.part`
  return attempt(missing, () => {
    rmSync(part, { recursive: true, force: true })
    const packages = ['--no-deps', '--only-binary', ':all:', '--requirement', requirements]
    execFileSync('pip', ['install', '--quiet', '--target', part, ...packages], { stdio: 'pipe' })
    renameSync(part, folder)
  })
}

const calls = 'generated calls'
const lists = 'lists after generated calls'
/** `FUZZ_SEED=… npm run proof -- fuzz --again` makes other calls; the same seed makes the same ones. */
const seed = process.env['FUZZ_SEED'] || '30'
const minCases = 10_000
/** Cases per operation; chains of calls, in which one takes the ids that another has answered with, come on top. */
const casesOfOperation = 85

const notCalled = {
  'events.stream': 'an answer that has no end',
  'auth.signOut': 'ends the session that all calls are made with',
  'auth.tokenSyncEnd': 'ends it',
  'auth.endSession': 'ends it where it is given its id',
  'sampleData.clear': 'takes away what others are asked about',
}

/**
 * Calls from the OpenAPI documents, valid and invalid ones, through the BFF against a local stack: none may answer 5xx or against its
 * document, and afterwards every list of the workspace is read.
 */
export async function fuzzStages(): Promise<Report[]> {
  const obstacle = schemathesis()
  if (obstacle) return [skipStage(calls, obstacle)]
  console.log(`  the calls are made from the seed ${seed}`)
  const target = await startTarget()
  try {
    const called = await callAll(target)
    if (called.failures.length > 0) target.keepLogs(join(reportsFolder, `${calls} logs`))
    return [called, countCases(), await readLists(target)]
  } finally {
    await target.stop()
  }
}

async function callAll({ app, headers, document }: Target): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-fuzz-'))
  try {
    const file = join(folder, 'openapi.json')
    writeFileSync(file, JSON.stringify(document))
    const options = {
      url: app,
      seed,
      phases: 'fuzzing,stateful',
      checks: 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance',
      'max-examples': String(casesOfOperation),
      'request-timeout': '30',
      'suppress-health-check': 'all',
      'generation-database': 'none',
    }
    return await runStage({
      name: calls,
      command: [
        ...['schemathesis', '--config-file', 'deploy/ci/schemathesis/schemathesis.toml'],
        ...['run', file, '--continue-on-failure', '--no-color'],
        ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
        ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
        ...Object.keys(notCalled).flatMap((operation) => ['--exclude-operation-id', operation]),
      ],
      env: { ...schemathesisEnvironment, HYPOTHESIS_STORAGE_DIRECTORY: folder },
      live: true,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Fewer calls than meant prove less than they seem to. */
function countCases(): Report {
  const name = 'number of generated calls'
  const [, cases = '0'] = /(\d+) generated/.exec(readFileSync(join(reportsFolder, `${calls}.log`), 'utf8')) ?? []
  console.log(`  ${cases} calls`)
  return Number(cases) >= minCases ? passStage(name) : failStage(name, `${cases} calls, fewer than ${minCases}`)
}

/** Reads every list that takes no parameters: one broken record would be missing, or break it. */
async function readLists({ call }: Target): Promise<Report> {
  const problems: string[] = []
  const listed = Object.values(endpointsOf).flatMap((endpoints) => endpoints ?? [])
  for (const { method, path, params, query, access, response, responseType } of listed) {
    if (method !== 'GET' || params || access === 'service' || access === 'key' || responseType === 'events') continue
    if (query && !query.safeParse({}).success) continue
    const answer = await call(method, path)
    const text = await answer.text()
    if (answer.status !== 200) problems.push(`${path} answered ${answer.status}: ${text.slice(0, 200)}`)
    else if (response && !response.safeParse(JSON.parse(text)).success) problems.push(`${path} breaks its contract`)
    else if (/"leftOut":\d/.test(text)) problems.push(`${path} goes without a record`)
  }
  return problems.length > 0 ? failStage(lists, problems.join('; ')) : passStage(lists)
}
