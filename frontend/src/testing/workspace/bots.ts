import {
  type AutomationSettings,
  automationSettingsApi,
  botSettingsSchema,
} from '@parley/contracts/automation/bot-settings'
import { type BotRecord, botsApi } from '@parley/contracts/automation/bots'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { PublishProblem } from '@parley/contracts/automation/publication'
import { runsApi } from '@parley/contracts/automation/run-endpoints'
import type { Run, RunStep } from '@parley/contracts/automation/runs'
import { branchesOf } from '@parley/flow/branches'
import { problemsOf } from '@parley/flow/problems'
import { starterFlows } from '../../flow-builder/starter-flows.ts'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'
import { refusal } from '../refusal.ts'
import { change, find, insert, newRecord, now, remove, type Workspace } from './workspace.ts'

/** Problems of a flow as publication judges them, without those that only a server can know. */
const judged = (draft: DraftFlow): PublishProblem[] =>
  problemsOf(draft).map(({ code, nodeId, message }) => ({
    code,
    severity: 'critical',
    ...(nodeId !== null && { nodeId }),
    sentence: message,
  }))

/** A session of a sample bot that waits for an answer. */
const runOf = (bot: BotRecord): Run => ({
  id: `run-${bot.id}`,
  botId: bot.id,
  number: bot.publishedVersion ?? 1,
  status: 'waiting',
  asks: true,
  contactId: 'contact-1',
  contactName: 'Priya Sharma',
  ...(bot.draft.nodes[1] && { nodeId: bot.draft.nodes[1].id }),
  createdAt: now(),
})

/** The trigger, and the node behind it, which was left by its last branch. */
const stepsOf = ({ draft: { nodes } }: BotRecord): RunStep[] =>
  nodes.slice(0, 2).map(({ id, settings }, n) => ({
    n,
    at: now(),
    nodeId: id,
    kind: settings.kind,
    branch: n === 0 ? 'next' : branchesOf(settings).at(-1)?.id,
  }))

/** The flow of a version: the one that runs is the draft, older ones lack its last node. */
const flowOf = ({ draft, publishedVersion }: BotRecord, number: number): DraftFlow => {
  const last = draft.nodes.at(-1)?.id
  if (number === publishedVersion) return draft
  return {
    ...draft,
    nodes: draft.nodes.slice(0, -1),
    edges: draft.edges.filter(({ source, target }) => source !== last && target !== last),
  }
}

/** Bots with one running session each, and an attention list of one entry. */
export function botHandlers({ bots }: Workspace) {
  const deleted = new Map<string, BotRecord>()
  const ended = new Set<string>()
  let isDismissed = false
  let settings: AutomationSettings = {
    handOverWords: ['agent'],
    version: 0,
  }
  const create = (name: string, from: Pick<BotRecord, 'draft' | 'settings'>) =>
    insert<BotRecord>(bots, {
      ...newRecord('bot'),
      ...from,
      name,
      status: 'paused',
      numberIds: [],
      unpublishedChanges: false,
      running: 0,
      attention: 0,
      conversations: 0,
      resolved: 0,
      automationRate: 0,
    })
  const summary = ({ draft: _draft, settings: _settings, ...bot }: BotRecord) => bot
  return [
    answer(botsApi.list, ({ query }) => {
      const q = query.q?.toLowerCase() ?? ''
      const found = [...bots.values()]
        .filter(({ name, status }) => name.toLowerCase().includes(q) && (!query.status || query.status === status))
        .sort((left, right) => left.name.localeCompare(right.name) || left.id.localeCompare(right.id))
      return pageOf(found.map(summary), query)
    }),
    answer(botsApi.read, ({ params }) => find(bots, params.id)),
    answer(botsApi.create, ({ body }) =>
      create(body.name, { draft: body.draft ?? starterFlows.blank, settings: botSettingsSchema.parse({}) }),
    ),
    answer(botsApi.duplicate, ({ params, body }) => {
      const bot = find(bots, params.id)
      return create(body.name ?? `${bot.name} (copy)`, bot)
    }),
    answer(botsApi.update, ({ params, body: { version, settings: changed, ...patch } }) => {
      const bot = find(bots, params.id)
      return change(
        bots,
        params.id,
        {
          ...patch,
          ...(patch.draft && { unpublishedChanges: bot.publishedVersion !== undefined }),
          ...(changed && { settings: botSettingsSchema.parse({ ...bot.settings, ...changed }) }),
        },
        version,
      )
    }),
    answer(botsApi.check, ({ params, body }) => {
      const bot = find(bots, params.id)
      return { problems: judged(body.draft ?? bot.draft), running: bot.running, movable: bot.running }
    }),
    answer(botsApi.publish, ({ params, body }) => {
      const bot = find(bots, params.id)
      if (judged(bot.draft).length > 0) throw refusal('invalid_flow', 'This flow cannot run yet.')
      const number = (bot.publishedVersion ?? 0) + 1
      const patch = {
        publishedVersion: number,
        unpublishedChanges: false,
        ...(body.start && { status: 'active' as const }),
      }
      const moved = body.running === 'move' ? bot.running : 0
      return { bot: change(bots, params.id, patch, body.version), number, moved, ended: 0 }
    }),
    answer(botsApi.start, ({ params }) => {
      if (find(bots, params.id).publishedVersion === undefined)
        throw refusal('not_published', 'Publish this bot first.')
      return change(bots, params.id, { status: 'active' })
    }),
    answer(botsApi.pause, ({ params, body }) =>
      change(bots, params.id, { status: 'paused', ...(body.running === 'end' && { running: 0 }) }),
    ),
    answer(botsApi.remove, ({ params }) => {
      deleted.set(params.id, find(bots, params.id))
      return remove(bots, params.id)
    }),
    answer(botsApi.restore, ({ params }) => insert(bots, { ...find(deleted, params.id), status: 'paused' as const })),
    answer(botsApi.versions, ({ params, query }) => {
      const { publishedVersion = 0 } = find(bots, params.id)
      const page = pageOf(
        Array.from({ length: publishedVersion }, (_, index) => ({
          id: String(publishedVersion - index),
          number: publishedVersion - index,
          publishedAt: now(),
          publishedBy: 'user-1',
          running: 0,
        })),
        query,
      )
      return { ...page, items: page.items.map(({ id: _, ...version }) => version) }
    }),
    answer(botsApi.restoreVersion, ({ params, body }) => {
      const number = (find(bots, params.id).publishedVersion ?? 0) + 1
      const patch = { publishedVersion: number, unpublishedChanges: true }
      return { bot: change(bots, params.id, patch, body.version), number, moved: 0, ended: 0 }
    }),
    answer(botsApi.version, ({ params }) => ({
      number: params.number,
      publishedAt: now(),
      publishedBy: 'user-1',
      running: 1,
      flow: flowOf(find(bots, params.id), params.number),
    })),
    answer(automationSettingsApi.read, () => settings),
    answer(automationSettingsApi.update, ({ body }) => {
      const { closedText, returnHours } = body
      settings = {
        handOverWords: body.handOverWords ?? settings.handOverWords,
        ...(closedText && { closedText }),
        ...(returnHours && { returnHours }),
        version: settings.version + 1,
      }
      return settings
    }),
    answer(runsApi.ofBot, ({ params, query }) => {
      const run = runOf(find(bots, params.id))
      const shown = ended.has(run.id) ? { ...run, status: 'ended' as const, outcome: 'cancelled' as const } : run
      const isShown = !query.show || (query.show === 'ended') === (shown.status === 'ended')
      return pageOf(isShown ? [shown] : [], query)
    }),
    answer(runsApi.read, ({ params }) => {
      const bot = find(bots, params.id.replace('run-', ''))
      return { run: runOf(bot), steps: stepsOf(bot) }
    }),
    answer(runsApi.cancel, ({ params }) => {
      ended.add(params.id)
      return {
        ...runOf(find(bots, params.id.replace('run-', ''))),
        status: 'ended' as const,
        outcome: 'cancelled' as const,
      }
    }),
    answer(runsApi.attention, ({ query }) => {
      const bot = bots.get('bot-1')
      const entry = {
        id: 'attention-1',
        state: 'open' as const,
        code: 'refused',
        sentence: 'A template is not approved any more.',
        ...(bot && { botId: bot.id, botName: bot.name, runId: `run-${bot.id}` }),
        conversationId: 'conversation-1',
        count: 3,
        firstAt: now(),
        lastAt: now(),
      }
      return pageOf(isDismissed || !bot ? [] : [entry], query)
    }),
    answer(runsApi.dismiss, ({ body }) => {
      isDismissed = body.state === 'dismissed'
      return { changed: body.ids.length }
    }),
  ]
}
