import { setImmediate } from 'node:timers/promises'
import { type BotSettings, botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import type { botsApi } from '@parley/contracts/automation/bots'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import {
  type FlowScript,
  type FlowTest,
  type FlowTestResult,
  maxFlowTests,
  maxTranscriptLines,
  type TranscriptLine,
} from '@parley/contracts/automation/flow-tests'
import type { PublishProblem } from '@parley/contracts/automation/publication'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { playScript } from '@parley/flow/play-script'
import { compileFlow, type Program } from '@parley/flow/program'
import type { Facts } from '@parley/flow/state'
import { firstLineDifference, transcriptLines } from '@parley/flow/transcript-lines'
import { foldText } from '@parley/rules/fold-text'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { updateVersion } from '@parley/service-kit/data/versioned'
import type { OneAtATime } from '../../platform/one-at-a-time.ts'
import type { Platform } from '../../platform/platform.ts'
import type { FlowRecord } from './flow-records.model.ts'
import type { FlowTestRecord } from './flow-tests.model.ts'
import { type FlowsRepository, missing } from './flows.repository.ts'
import type { RoutingRepository } from './routing.ts'

export const testFailed = 'test_failed'
/** Milliseconds for which the tests of a flow may play; each is bounded by the number of its inputs. */
const maxPlayMs = 5000
const maxStoredBytes = 128 * 1024
const maxQuoted = 120

/** A flow that is played: published or not. */
interface PlayedFlow {
  readonly kind: FlowKind
  readonly flowId: string
  readonly program: Program
  readonly settings?: BotSettings | undefined
}

/** Reads what a step of a real run would know: settings, opening hours, definitions of fields. */
export type FactsOfTests = (
  scope: WorkspaceScope,
  flow: PlayedFlow,
  script: Pick<FlowScript, 'at' | 'person'>,
) => Promise<Facts>

interface Dependencies extends Pick<Platform, 'transaction'> {
  readonly repository: FlowsRepository
  readonly routing: Pick<RoutingRepository, 'hold'>
  readonly oneAtATime: OneAtATime
  readonly factsOf: FactsOfTests
}

type Created = EndpointInput<typeof botsApi.createTest>['body']
type Changed = EndpointInput<typeof botsApi.updateTest>['body']

/** Keeps tests of flows, and plays them with the interpreter that runs flows. */
export function createFlowTests({ repository, routing, oneAtATime, factsOf, transaction }: Dependencies) {
  const { kind, tests } = repository
  const ofFlow = (scope: WorkspaceScope, flowId: string) =>
    tests(scope).find({ flowId }).sort({ nameKey: 1, _id: 1 }).limit(maxFlowTests).hint('name')

  async function requireTest(scope: WorkspaceScope, flowId: string, testId: string): Promise<FlowTestRecord> {
    await repository.require(scope, flowId)
    const found = isId(testId) ? await tests(scope).findOne({ _id: testId, flowId }) : null
    if (!found) throw errors.notFound('There is no such test.')
    return found
  }

  async function play(scope: WorkspaceScope, record: FlowRecord, program: Program, script: FlowScript) {
    const settings = kind === 'bot' ? { settings: record.settings ?? botSettingsSchema.parse({}) } : {}
    const facts = await factsOf(scope, { kind, flowId: record.id, program, ...settings }, script)
    return transcriptLines(
      playScript(program, { ...script, hours: facts.hours, attributes: facts.attributes, settings: facts.settings }),
    )
  }

  /** Plays a script, for its lines to be kept. @throws `limit_reached` where they are too many. */
  async function record(scope: WorkspaceScope, flow: FlowRecord, script: FlowScript, draft: DraftFlow | undefined) {
    const drawn = draft ?? (await repository.readDraft(scope, flow.id))
    if (!drawn) throw missing(kind)
    const lines = await play(scope, flow, compileFlow(drawn), script)
    const expected = JSON.stringify(lines)
    if (lines.length > maxTranscriptLines || expected.length + JSON.stringify(script).length > maxStoredBytes)
      throw new AppError('limit_reached', `A test has at most ${maxTranscriptLines} lines. Try out less in one test.`)
    return expected
  }

  /** @throws `not_found`, `limit_reached`. */
  async function createTest(
    scope: WorkspaceScope,
    flowId: string,
    { name, script, draft }: Created,
  ): Promise<FlowTest> {
    const flow = await repository.require(scope, flowId)
    const expected = await record(scope, flow, script, draft)
    const created = await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.hold(scope, tx)
        const { session } = tx
        if ((await tests(scope).countDocuments({ flowId }, { session, hint: 'name' })) >= maxFlowTests)
          throw new AppError('limit_reached', `A ${kind} has at most ${maxFlowTests} tests. Delete one first.`)
        const added = { flowId, name, nameKey: foldText(name), script: JSON.stringify(script), expected }
        return tests(scope).create(added, { session })
      }),
    )
    return shownTest(created)
  }

  /** @throws `not_found`, `stale_version` with the test as it is now, `limit_reached`. */
  async function updateTest(
    scope: WorkspaceScope,
    { id, testId }: { readonly id: string; readonly testId: string },
    { name, accept, draft, version }: Changed,
  ): Promise<FlowTest> {
    const before = await requireTest(scope, id, testId)
    const expected = accept && (await record(scope, await repository.require(scope, id), scriptOf(before), draft))
    const update = {
      $set: { ...(name !== undefined && { name, nameKey: foldText(name) }), ...(expected && { expected }) },
    }
    return shownTest(await updateVersion(tests(scope), { id: testId, version, update, toAnswer: shownTest }))
  }

  /** Plays all tests against a flow: the draft, if none is given. */
  async function runTests(
    scope: WorkspaceScope,
    id: string,
    draft?: DraftFlow,
  ): Promise<{ results: FlowTestResult[] }> {
    const flow = await repository.require(scope, id)
    const drawn = draft ?? (await repository.readDraft(scope, id))
    if (!drawn) throw missing(kind)
    return { results: (await results(scope, flow, drawn)).map(({ updatedAt: _, ...result }) => result) }
  }

  async function results(
    scope: WorkspaceScope,
    flow: FlowRecord,
    drawn: DraftFlow,
  ): Promise<(FlowTestResult & { updatedAt: Date })[]> {
    const stored = await ofFlow(scope, flow.id)
    if (stored.length === 0) return []
    const program = compileFlow(drawn)
    const until = Date.now() + maxPlayMs
    const done: (FlowTestResult & { updatedAt: Date })[] = []
    for (const test of stored) {
      const common = { testId: test.id, name: test.name, updatedAt: test.updatedAt }
      // Other requests have their turn between two tests.
      await setImmediate()
      if (Date.now() > until) {
        done.push({ ...common, passed: false, reason: 'It was not played: the tests before it took too long.' })
        continue
      }
      const found = await play(scope, flow, program, scriptOf(test))
      const difference = firstLineDifference(expectedOf(test), found)
      done.push({ ...common, passed: difference === undefined, ...(difference && { difference }) })
    }
    return done
  }

  /** Returns the tests that a flow fails, as reasons against publishing it. */
  async function problems(scope: WorkspaceScope, flow: FlowRecord, drawn: DraftFlow) {
    const nodeIds = new Set(drawn.nodes.map(({ id }) => id))
    return (await results(scope, flow, drawn)).flatMap(({ passed, updatedAt, ...result }) => {
      if (passed) return []
      const nodeId = [result.difference?.found, result.difference?.expected].find(
        (line) => line?.nodeId !== undefined && nodeIds.has(line.nodeId),
      )?.nodeId
      const problem: PublishProblem = {
        code: testFailed,
        severity: 'critical',
        ...(nodeId !== undefined && { nodeId }),
        sentence: sentenceOf(result),
      }
      return [{ ...problem, updatedAt }]
    })
  }

  return {
    tests: async (scope: WorkspaceScope, id: string) => {
      await repository.require(scope, id)
      return { items: (await ofFlow(scope, id)).map(shownTest) }
    },
    test: async (scope: WorkspaceScope, id: string, testId: string) => {
      const found = await requireTest(scope, id, testId)
      return { ...shownTest(found), script: scriptOf(found), expected: expectedOf(found) }
    },
    createTest,
    updateTest,
    removeTest: async (scope: WorkspaceScope, id: string, testId: string): Promise<void> => {
      await requireTest(scope, id, testId)
      await tests(scope).deleteOne({ _id: testId })
    },
    runTests,
    problems,
  }
}

// Stored tests were checked when they came.
const scriptOf = ({ script }: FlowTestRecord): FlowScript => JSON.parse(script)
const expectedOf = ({ expected }: FlowTestRecord): TranscriptLine[] => JSON.parse(expected)

const shownTest = ({ id, name, version, createdAt, updatedAt }: FlowTestRecord): FlowTest => ({
  id,
  name,
  version,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

function sentenceOf({ name, difference, reason }: Pick<FlowTestResult, 'name' | 'difference' | 'reason'>): string {
  const test = `The test “${name}” fails`
  if (!difference) return reason === undefined ? `${test}.` : `${test}. ${reason}`
  const { expected, found } = difference
  if (!expected) return `${test}: nothing should follow where “${quoted(found)}” comes.`
  if (!found) return `${test}: “${quoted(expected)}” does not come.`
  return `${test}: instead of “${quoted(expected)}” comes “${quoted(found)}”.`
}

function quoted(line: TranscriptLine | undefined): string {
  const text = [line?.text, ...(line?.options ?? [])].join(' · ')
  const whole = line?.refused === undefined ? text : `${text} (refused: ${line.refused})`
  return whole.length > maxQuoted ? `${whole.slice(0, maxQuoted - 1)}…` : whole
}
