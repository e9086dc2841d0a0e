import { type BotSettings, botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import type { BotSummary } from '@parley/contracts/automation/bot-summary'
import type { BotRecord } from '@parley/contracts/automation/bots'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { Enrolment, Workflow, WorkflowSummary } from '@parley/contracts/automation/workflows'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Viewed } from '../../platform/visibility.ts'
import type { FlowRecord } from './flow-records.model.ts'
import type { FlowsRepository } from './flows.repository.ts'
import type { ShowFlows } from './flows.service.ts'

/** Figures of a flow's runs, for its card. */
interface FlowFigures {
  /** Runs that have not ended. */
  readonly running: number
  /** Runs begun in the last 30 days. */
  readonly begun: number
  /** Those of them that have ended. */
  readonly ended: number
  /** Completed ones after which no person wrote within 24 hours. */
  readonly resolved: number
  /** Completed ones, and those that gave their conversation to people. */
  readonly succeeded: number
}

export interface ShowFlowsDependencies {
  /** Reads figures; flows without runs are missing. `toldAt`: the moment of the sample whose flows these are. */
  readonly figuresOf: (
    scope: WorkspaceScope,
    flowIds: readonly string[],
    toldAt?: Date,
  ) => Promise<ReadonlyMap<string, FlowFigures>>
  /** Counts open entries of the attention list that the caller sees, by flow. */
  readonly countOpen: (scope: Viewed, flowIds: readonly string[]) => Promise<ReadonlyMap<string, number>>
}

interface Dependencies extends ShowFlowsDependencies {
  readonly repository: Pick<FlowsRepository, 'readDraft' | 'all'>
}

const noFigures: FlowFigures = { running: 0, begun: 0, ended: 0, resolved: 0, succeeded: 0 }
const emptyFlow: DraftFlow = { format: 2, nodes: [], edges: [] }

/** Starts of a workflow that nobody has changed. */
export const freshEnrolment: Enrolment = {
  reEnrolment: 'never',
  coolDownSeconds: 0,
  startsPerHour: 1000,
  perContactPerHour: 5,
}

/** Share in percent with some decimals; 0 of nothing. */
const shareOf = (part: number, all: number, decimals: number): number =>
  all === 0 ? 0 : Math.round((100 * 10 ** decimals * part) / all) / 10 ** decimals

/** Converts stored bots to the answers of endpoints. */
export const createShowBots = (dependencies: Dependencies): ShowFlows<BotSummary, BotRecord> => {
  const settingsOf = ({ settings }: FlowRecord): BotSettings => settings ?? botSettingsSchema.parse({})
  return createShow(
    dependencies,
    ({ numberIds }, { begun, ended, resolved }) => ({
      numberIds: [...numberIds],
      conversations: begun,
      resolved,
      automationRate: shareOf(resolved, ended, 0),
    }),
    (record) => ({ settings: settingsOf(record) }),
  )
}

/** Converts stored workflows to the answers of endpoints. */
export const createShowWorkflows = (
  dependencies: Dependencies & {
    /** Reads when flows with a schedule start next. */
    readonly nextStartsOf: (scope: WorkspaceScope, flowIds: readonly string[]) => Promise<ReadonlyMap<string, Date>>
  },
): ShowFlows<WorkflowSummary, Workflow> => {
  const { summaries, whole } = createShow(
    dependencies,
    ({ enrolment, counts }, { begun, ended, succeeded }) => ({
      ...(enrolment ?? freshEnrolment),
      triggers: counts?.triggers ?? 0,
      actions: counts?.actions ?? 0,
      executions: begun,
      succeeded,
      successRate: shareOf(succeeded, ended, 1),
    }),
    () => ({}),
  )
  async function withNextStart<T extends WorkflowSummary>(scope: WorkspaceScope, shown: readonly T[]): Promise<T[]> {
    const next = await dependencies.nextStartsOf(scope, idsOf(shown))
    return shown.map((one) => {
      const at = next.get(one.id)
      return at ? { ...one, nextStartAt: at.toISOString() } : one
    })
  }
  return {
    summaries: async (scope, records) => withNextStart(scope, await summaries(scope, records)),
    whole: async (scope, record) => (await withNextStart(scope, [await whole(scope, record)]))[0] as Workflow,
  }
}

/** Counts over all workflows of a workspace. */
export const createSummarizeWorkflows =
  ({ repository, figuresOf }: Dependencies) =>
  async (scope: WorkspaceScope) => {
    const records = await repository.all(scope)
    const figures = [...(await readFigures(figuresOf, scope, records)).values()]
    const sum = (pick: (one: FlowFigures) => number) => figures.reduce((total, one) => total + pick(one), 0)
    return {
      total: records.length,
      active: records.filter(({ status }) => status === 'active').length,
      executions: sum(({ begun }) => begun),
      successRate: shareOf(
        sum(({ succeeded }) => succeeded),
        sum(({ ended }) => ended),
        1,
      ),
    }
  }

type Common = Omit<
  WorkflowSummary,
  keyof Enrolment | 'nextStartAt' | 'triggers' | 'actions' | 'executions' | 'succeeded' | 'successRate'
>

function createShow<Figures extends object, Settings extends object>(
  { repository, figuresOf, countOpen }: Dependencies,
  shownFigures: (record: FlowRecord, figures: FlowFigures) => Figures,
  settingsOf: (record: FlowRecord) => Settings,
) {
  async function summaries(scope: Viewed, records: readonly FlowRecord[]): Promise<(Common & Figures)[]> {
    const [figures, attention] = await Promise.all([
      readFigures(figuresOf, scope, records),
      countOpen(scope, idsOf(records)),
    ])
    return records.map((record) => {
      const known = figures.get(record.id) ?? noFigures
      return {
        id: record.id,
        version: record.version,
        createdAt: record.createdAt.toISOString(),
        updatedAt: record.updatedAt.toISOString(),
        name: record.name,
        status: record.status,
        ...(record.publishedVersion !== undefined && { publishedVersion: record.publishedVersion }),
        unpublishedChanges: record.draftHash !== record.publishedHash,
        running: known.running,
        ...shownFigures(record, known),
        attention: attention.get(record.id) ?? 0,
        ...(record.deletedAt && { deletedAt: record.deletedAt.toISOString() }),
      }
    })
  }

  async function whole(scope: Viewed, record: FlowRecord) {
    const [draft, [summary]] = await Promise.all([repository.readDraft(scope, record.id), summaries(scope, [record])])
    if (!summary) throw new Error('a flow has no summary')
    return { ...summary, draft: draft ?? emptyFlow, ...settingsOf(record) }
  }

  return { summaries, whole }
}

/** Reads the figures of flows; those of the sample as of its moment. */
async function readFigures(
  figuresOf: Dependencies['figuresOf'],
  scope: WorkspaceScope,
  records: readonly FlowRecord[],
): Promise<ReadonlyMap<string, FlowFigures>> {
  const [own = [], sample = []] = [false, true].map((is) =>
    records.filter((record) => (record.sample !== undefined) === is),
  )
  const [figures, sampleFigures] = await Promise.all([
    figuresOf(scope, idsOf(own)),
    figuresOf(scope, idsOf(sample), sample[0]?.sample),
  ])
  return new Map([...figures, ...sampleFigures])
}

const idsOf = (records: readonly Pick<FlowRecord, 'id'>[]): string[] => records.map(({ id }) => id)
