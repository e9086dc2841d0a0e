import { type BotRecord, botsApi } from '@parley/contracts/automation/bots'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { APIRequestContext } from '@playwright/test'
import { callAsPage } from './accounts.ts'
import type { AppProcess } from './app-process.ts'

type Settings = DraftFlow['nodes'][number]['settings']

const idOf = (label: string) => label.replaceAll(' ', '-')

/** Returns a flow of nodes below one another: what each leads to is in `edges` as `from:branch:to`. */
export function flowOf(
  nodes: Record<string, readonly [DraftFlow['nodes'][number]['type'], Settings]>,
  edges: readonly string[],
): DraftFlow {
  return {
    format: 2,
    nodes: Object.entries(nodes).map(([label, [type, settings]], index) => ({
      id: idOf(label),
      type,
      label,
      description: '',
      position: { x: 0, y: 180 * index },
      settings,
    })),
    edges: edges.map((edge) => {
      const [source = '', branch = '', target = ''] = edge.split(':')
      return { id: idOf(edge.replaceAll(':', '-')), source: idOf(source), branch, target: idOf(target) }
    }),
  }
}

/** A question about an order, its answer, and whether the shop is open. */
export const orderStatus = flowOf(
  {
    'Keyword match': ['trigger', { kind: 'keyword', keywords: ['order'], match: 'word', interrupts: false }],
    'Send message': ['action', { kind: 'send_text', text: 'Please send the number of your order.' }],
    'Business hours': ['condition', { kind: 'business_hours', hours: { use: 'workspace' } }],
  },
  ['Keyword match:next:Send message', 'Send message:next:Business hours'],
)

/** Publishes a bot's draft with every warning accepted, and starts it. */
export async function publishBot(request: APIRequestContext, app: AppProcess, bot: BotRecord): Promise<void> {
  const path = (call: string) => `/api/bots/${bot.id}/${call}`
  const checked = await callAsPage(request, app, { method: 'POST', path: path('check'), data: {} })
  const { problems } = botsApi.check.response.parse(await checked.json())
  const accept = problems.map(({ code, nodeId }) => (nodeId === undefined ? code : `${code}:${nodeId}`))
  const data = { accept, start: true, version: bot.version }
  const answer = await callAsPage(request, app, { method: 'POST', path: path('publish'), data })
  botsApi.publish.response.parse(await answer.json())
}

/** Answers a message about tea, and ends. */
export const teaFlow = flowOf(
  {
    Tea: ['trigger', { kind: 'keyword', keywords: ['tea'], match: 'word', interrupts: false }],
    Answer: ['action', { kind: 'send_text', text: 'Sencha is the one to try.' }],
    End: ['action', { kind: 'end' }],
  },
  ['Tea:next:Answer', 'Answer:next:End'],
)

/** Creates a bot, as the page does. */
export async function createBot(
  request: APIRequestContext,
  app: AppProcess,
  data: { name: string; draft: DraftFlow },
): Promise<BotRecord> {
  const { method, path } = botsApi.create
  const answer = await callAsPage(request, app, { method, path, data })
  return botsApi.create.response.parse(await answer.json())
}
