import { type BotSettings, botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import type { Enrolment } from '@parley/contracts/automation/workflows'
import { compileRouting } from '@parley/flow/keywords'
import { compileFlow, triggersOf } from '@parley/flow/program'
import { newId } from '@parley/service-kit/data/plain'
import { eventsOf } from '../modules/flows/publish-world.ts'
import { freshEnrolment } from '../modules/flows/show-flows.ts'

/** Bots and workflows in memory, as the runtime reads them, and their changes as tests make them. */
export function createMemoryFlows() {
  const flows: {
    id: string
    kind: FlowKind
    flow: DraftFlow
    settings: BotSettings
    enrolment: Enrolment
    versions: DraftFlow[]
    paused?: boolean
    deleted?: boolean
  }[] = []
  const versionOf = (botId: string, number: number) => {
    const bot = flows.find(({ id }) => id === botId)
    const flow = bot?.versions[number - 1]
    const { kind = 'bot', settings = undefined } = bot ?? {}
    return (
      bot && flow && { kind, flowId: botId, number, program: compileFlow(flow), ...(kind === 'bot' && { settings }) }
    )
  }
  const services = {
    starts: async () => ({
      routing: compileRouting(
        flows.flatMap(({ id, flow, paused }, order) => (paused ? [] : triggersOf(flow, { flowId: id, order }))),
      ),
      workflows: flows.flatMap(({ id, kind, flow, enrolment, paused }) =>
        kind === 'workflow' && !paused ? { flowId: id, numberIds: [], events: new Set(eventsOf(flow)), enrolment } : [],
      ),
    }),
    version: async (_: unknown, botId: string, number: number) => versionOf(botId, number),
    program: async (_: unknown, botId: string, number: number) => versionOf(botId, number)?.program,
    published: async (_: unknown, botId: string) => {
      const known = flows.find(({ id, deleted }) => id === botId && !deleted)
      return versionOf(botId, known?.versions.length ?? 0)
    },
    requireFlow: async (_?: unknown, ...named: readonly (string | undefined)[]) => {
      const known = flows.find(({ id }) => id === named.at(-1))
      return {
        numberIds: [],
        status: known?.paused ? ('paused' as const) : ('active' as const),
        enrolment: known?.enrolment,
        publishedVersion: known?.versions.length,
      }
    },
    readVersion: async (_: unknown, id: string, number: number) =>
      flows.find((one) => one.id === id)?.versions[number - 1],
    readDraft: async (_: unknown, __: FlowKind, id: string) => {
      const known = flows.find((one) => one.id === id)
      if (!known) throw new Error('there is no such flow')
      return known.flow
    },
  }

  return {
    services,
    addBot: (flow: DraftFlow, changed: Partial<BotSettings> = {}) => {
      const bot = {
        id: newId(),
        kind: 'bot' as const,
        flow,
        settings: botSettingsSchema.parse({ collectSeconds: 0, ...changed }),
        enrolment: freshEnrolment,
        versions: [flow],
      }
      flows.push(bot)
      return bot
    },
    addWorkflow: (flow: DraftFlow, changed: Partial<Enrolment> = {}) => {
      const workflow = {
        id: newId(),
        kind: 'workflow' as const,
        flow,
        settings: botSettingsSchema.parse({}),
        enrolment: { ...freshEnrolment, ...changed },
        versions: [flow],
      }
      flows.push(workflow)
      return workflow
    },
    /** Publishes another version of a flow. */
    publish: ({ id }: { id: string }, flow: DraftFlow) => {
      for (const known of flows.filter((one) => one.id === id)) {
        known.versions.push(flow)
        known.flow = flow
      }
    },
    pause: ({ id }: { id: string }, paused = true) => {
      for (const flow of flows) if (flow.id === id) flow.paused = paused
    },
    /** Deletes a flow; what becomes of its runs is the caller's. */
    remove: ({ id }: { id: string }) => {
      for (const flow of flows) if (flow.id === id) Object.assign(flow, { paused: true, deleted: true })
    },
  }
}
