import { type Bot, botsApi } from '@parley/contracts/automation/bots'
import { problemsOf } from '@parley/flow/problems'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { starterFlows } from '../../flow-builder/starter-flows.ts'
import { answer, refusal, refuseStale } from '../answer.ts'
import { binOf } from '../bin.ts'
import { pageOf } from '../page-of.ts'
import { withoutAbsent } from '../without-absent.ts'

const now = () => new Date().toISOString()

function botOf({ bots }: SampleDataset, id: string): Bot {
  const bot = bots.get(id)
  if (!bot) throw refusal('not_found', 'This bot does not exist. It may have been deleted.')
  return bot
}

function store({ bots }: SampleDataset, bot: Bot): Bot {
  bots.set(bot.id, bot)
  return bot
}

/** Answers the bots' calls from the sample workspace. */
export const answers = [
  answer(botsApi.list, ({ query }, { bots }) => {
    const q = query.q?.toLowerCase() ?? ''
    const found = [...bots.values()]
      .filter(({ name, status }) => name.toLowerCase().includes(q) && (!query.status || query.status === status))
      .sort((left, right) => left.name.localeCompare(right.name) || left.id.localeCompare(right.id))
    return pageOf(found, query)
  }),
  answer(botsApi.read, ({ params }, sampleDataset) => botOf(sampleDataset, params.id)),
  answer(botsApi.create, ({ body }, sampleDataset) =>
    store(sampleDataset, {
      id: `bot-${crypto.randomUUID()}`,
      createdAt: now(),
      updatedAt: now(),
      version: 1,
      name: body.name,
      status: 'paused',
      numberIds: [],
      draft: body.draft ?? starterFlows.blank,
      conversations: 0,
      resolved: 0,
      automationRate: 0,
    }),
  ),
  answer(botsApi.update, ({ params, body }, sampleDataset) => {
    const bot = botOf(sampleDataset, params.id)
    refuseStale('bot', bot, body.version)
    const { version, ...patch } = body
    const next: Bot = { ...bot, ...withoutAbsent(patch), version: version + 1, updatedAt: now() }
    const problem = problemsOf(next.draft)[0]
    if (body.status === 'active' && problem)
      throw refusal('invalid_flow', `${next.name} cannot start yet. ${problem.message}`)
    // The running flow is the last one without problems.
    return store(sampleDataset, body.draft && !problem ? { ...next, publishedVersion: next.version } : next)
  }),
  answer(botsApi.remove, ({ params }, sampleDataset) => {
    const bot = botOf(sampleDataset, params.id)
    binOf<Bot>(sampleDataset, 'bots').set(bot.id, bot)
    sampleDataset.bots.delete(bot.id)
    return undefined
  }),
  answer(botsApi.restore, ({ params }, sampleDataset) => {
    const bin = binOf<Bot>(sampleDataset, 'bots')
    const bot = bin.get(params.id)
    if (!bot) throw refusal('not_found', 'This bot can no longer be restored.')
    bin.delete(params.id)
    return store(sampleDataset, { ...bot, status: 'paused', version: bot.version + 1, updatedAt: now() })
  }),
]
