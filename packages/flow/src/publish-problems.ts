import { type DraftFlow, type NodeKind, nodeKinds, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import { offerEnd, offerEndsKey } from '@parley/contracts/templates/template-offers'
import { askedAfterAssign, sentAtOnce, sentOutsideWindow } from './flow-paths.ts'
import { formProblems, type NamedForm } from './form-problems.ts'
import { keywordProblems, type Named, type Report } from './keyword-problems.ts'
import type { RoutedTrigger } from './keywords.ts'
import { problemsOf } from './problems.ts'
import type { ReadNode } from './program.ts'
import { nextStart } from './schedule.ts'
import { textProblems } from './text-problems.ts'
import { isOneVariable } from './variables.ts'
import { workflowProblems } from './workflow-problems.ts'

const ofBotsAlone: ReadonlySet<NodeKind> = new Set(['keyword', 'any_message', 'handed_over', 'go_to_bot'])

/** Returns whether bots, or workflows, can run a kind of node. */
export function isRunnable(kind: NodeKind, by: FlowKind): boolean {
  return by === 'workflow' ? !ofBotsAlone.has(kind) : kind !== 'event' && kind !== 'schedule' && kind !== 'hook'
}

/** Maximum bytes of a flow's JSON. */
export const maxFlowBytes = 512 * 1024

/** Records that a flow may refer to, and the bots beside it. A part that is absent is not checked. */
export interface World {
  /** Absent: a bot. */
  readonly kind?: FlowKind | undefined
  /** Id of the flow. */
  readonly botId: string
  /** Numbers at which it listens; empty: all. */
  readonly numberIds: readonly string[]
  readonly templates?:
    | readonly (Named & {
        readonly isApproved: boolean
        readonly placeholders: readonly string[]
        /** Reason why it cannot be sent though it is approved, without a full stop. */
        readonly unsendable?: string | undefined
      })[]
    | undefined
  readonly memberIds?: ReadonlySet<string> | undefined
  readonly mediaIds?: ReadonlySet<string> | undefined
  /** Forms that the flow names, as far as they are known, by their ids at WhatsApp. */
  readonly forms?: ReadonlyMap<string, NamedForm> | undefined
  readonly connectionIds?: ReadonlySet<string> | undefined
  /** Names of the defined fields of contacts. */
  readonly attributes?: ReadonlySet<string> | undefined
  /** `leadsTo`: bots to which its published flow continues without asking anything. */
  readonly bots?:
    | readonly (Named & { readonly isPublished: boolean; readonly leadsTo: readonly string[] })[]
    | undefined
  /** Triggers of the other active bots. */
  readonly triggers?: readonly RoutedTrigger[] | undefined
  readonly isConsentWord?: ((text: string) => boolean) | undefined
  /** Segments of contacts that exist, of those that the flow names. */
  readonly segmentIds?: ReadonlySet<string> | undefined
  /** Time, in milliseconds since 1970: a schedule that is over is reported. */
  readonly now?: number | undefined
  /** True where a contact starts the workflow once in all: a schedule that repeats then finds nobody left. */
  readonly startsOnce?: boolean | undefined
  /** Hours after which a bot gives a question up that has no deadline of its own. */
  readonly idleHours?: number | undefined
  /** Numbers of sessions that wait, by the node. */
  readonly waiting?: ReadonlyMap<string, number> | undefined
}

/** A reason against publishing: a critical one prevents it, each warning has to be accepted. */
export interface PublishProblem {
  readonly code: string
  readonly severity: 'critical' | 'warning'
  readonly nodeId: string | null
  /** Sentence for the person who publishes. */
  readonly message: string
  /** The bot that already has the keyword. */
  readonly owner?: Named | undefined
}

/** Finds all reasons against publishing the flow of a bot or workflow, the critical first, each code once for a node. */
export function publishProblems(flow: DraftFlow, world: World): PublishProblem[] {
  const found = new Map<string, PublishProblem>()
  const report: Report = (code, nodeId, message, { severity, owner } = {}) => {
    const key = `${code}:${nodeId ?? ''}`
    if (!found.has(key))
      found.set(key, { code, nodeId, message, severity: severity ?? 'critical', ...(owner && { owner }) })
  }
  for (const { code, nodeId, message } of problemsOf(flow)) report(code, nodeId, message)
  if (new TextEncoder().encode(JSON.stringify(flow)).length > maxFlowBytes)
    report('too_large', null, 'The flow is larger than 512 KiB. Use shorter texts or fewer nodes.')
  const nodes = flow.nodes.flatMap(({ id, settings }): ReadNode[] => {
    const parsed = nodeSettingsSchema.safeParse(settings)
    return parsed.success ? [{ id, settings: parsed.data }] : []
  })
  for (const node of nodes) referenceProblems(node, world, report)
  const bots = world.bots && new Map(world.bots.map((bot) => [bot.id, bot]))
  for (const node of nodes) botProblems(node, { botId: world.botId, bots }, report)
  const kind = world.kind ?? 'bot'
  if (kind === 'workflow') workflowProblems(nodes, world.attributes, report)
  else keywordProblems(flow, world, report)
  for (const id of askedAfterAssign(flow))
    report('asked_after_assign', id, 'After “Assign” a person answers: the bot cannot ask anything there.')
  const warn: Report = (code, nodeId, message, more) => report(code, nodeId, message, { ...more, severity: 'warning' })
  for (const id of sentAtOnce(flow)) warn('too_many_messages', id, tooManySentences[kind])
  for (const id of sentOutsideWindow(flow, world.idleHours)) warn('outside_window', id, windowSentences[kind])
  for (const { code, nodeId, message } of textProblems(nodes)) warn(code, nodeId, message)
  for (const { id, settings } of world.startsOnce ? nodes : [])
    if (settings.kind === 'schedule' && settings.repeat.every !== 'once') warn('starts_once', id, startsOnceSentence)
  wayProblems(flow, nodes, { kind, warn })
  for (const [nodeId, count] of world.waiting ?? [])
    if (!flow.nodes.some(({ id }) => id === nodeId))
      warn(
        'sessions_lost',
        nodeId,
        `${count} ${count === 1 ? 'session waits' : 'sessions wait'} at a node that this version does not have.`,
      )
  const rank = { critical: 0, warning: 1 } as const
  return [...found.values()].sort((left, right) => rank[left.severity] - rank[right.severity])
}

function referenceProblems({ id, settings }: ReadNode, world: World, report: Report): void {
  const { kind = 'bot', templates, memberIds, mediaIds, attributes, connectionIds } = world
  if (!isRunnable(settings.kind, kind))
    report('not_runnable', id, `${kind === 'bot' ? 'Bots' : 'Workflows'} cannot run this kind of node. Remove it.`)
  if (settings.kind === 'send_template' && templates) {
    const template = templates.find((one) => one.id === settings.templateId)
    const empty = (template?.placeholders ?? []).filter((name) => !settings.variables[name]?.trim())
    if (!template) report('unknown_template', id, 'This template does not exist. Choose another.')
    else if (!template.isApproved)
      report('template_not_approved', id, `WhatsApp has not approved the template ${template.name}.`)
    else if (template.unsendable !== undefined)
      report('template_unsendable', id, `${template.name} cannot be sent. ${template.unsendable}.`)
    if (empty.length > 0) report('template_unfilled', id, `Fill in ${empty.map((name) => `{{${name}}}`).join(', ')}.`)
    const ends = template?.placeholders.includes(offerEndsKey) ? settings.variables[offerEndsKey]?.trim() : ''
    const problem = ends ? endProblem(ends, world.now) : undefined
    if (problem !== undefined) report('offer_end', id, problem)
  }
  if (settings.kind === 'assign' && settings.to.kind === 'member' && memberIds && !memberIds.has(settings.to.memberId))
    report('unknown_member', id, 'This member is no longer in the workspace. Choose another.')
  if (settings.kind === 'send_media' && mediaIds && !mediaIds.has(settings.mediaId))
    report('unknown_file', id, 'This file no longer exists. Upload it again.')
  if (settings.kind === 'form' && world.forms) formProblems({ id, settings }, world.forms.get(settings.formId), report)
  if (settings.kind === 'schedule') {
    if (world.segmentIds && !world.segmentIds.has(settings.segmentId))
      report('unknown_segment', id, 'This segment no longer exists. Choose for whom the workflow starts.')
    if (world.now !== undefined && !nextStart(settings, new Date(world.now)))
      report('schedule_over', id, 'The time of this schedule is over. Choose a later one.')
  }
  if (settings.kind === 'http_call' && connectionIds && !connectionIds.has(settings.connectionId))
    report('unknown_connection', id, 'This connection does not exist. Choose another.')
  if (settings.kind === 'http_call' || settings.kind === 'hook') {
    const unknown = (settings.mappings ?? []).find(
      ({ attribute, save }) => save !== 'session' && attributes && !attributes.has(attribute),
    )
    if (unknown)
      report(
        'unknown_field',
        id,
        `Contacts have no field ${unknown.attribute}. Define it, or keep the value for this run only.`,
      )
  }
  if (settings.kind === 'attribute' && attributes && !settings.attribute.startsWith('session.')) {
    const name = settings.attribute.replace(/^attributes\./, '')
    if (!attributes.has(name))
      report('unknown_field', id, `Contacts have no field ${name}. Define it, or choose another.`)
  }
}

/** Returns why the end of an offer cannot be a text; a variable is read when it is sent. */
function endProblem(text: string, now: number | undefined): string | undefined {
  if (isOneVariable(text)) return undefined
  const end = offerEnd(text)
  if (!end) return 'The end of the offer is no time. Choose a date and time, or enter one variable.'
  return now !== undefined && end.getTime() <= now ? 'The offer has ended by now. Choose a later time.' : undefined
}

function botProblems(
  { id, settings }: ReadNode,
  { botId, bots }: { botId: string; bots: ReadonlyMap<string, NonNullable<World['bots']>[number]> | undefined },
  report: Report,
): void {
  if (settings.kind !== 'go_to_bot' || !bots || settings.botId === botId) return
  const target = bots.get(settings.botId)
  if (!target) report('unknown_bot', id, 'This bot does not exist. Choose another.')
  else if (!target.isPublished)
    report('bot_not_published', id, `Publish ${target.name} first: it has no version that could run.`)
  const reached = new Set([settings.botId])
  for (const bot of reached) for (const next of bots.get(bot)?.leadsTo ?? []) reached.add(next)
  if (reached.has(botId)) report('bot_circle', id, 'That bot leads back to this one without asking anything.')
}

const decides: ReadonlySet<string> = new Set(['business_hours', 'attribute', 'tag', 'last_answer'])
const asks: ReadonlySet<string> = new Set(['ask', 'buttons', 'list', 'form'])

function wayProblems(
  { edges }: DraftFlow,
  nodes: readonly ReadNode[],
  { kind, warn }: { kind: FlowKind; warn: Report },
): void {
  const leads = (id: string, branch: string) => edges.some((edge) => edge.source === id && edge.branch === branch)
  for (const { id, settings } of nodes) {
    if (asks.has(settings.kind)) {
      const missing = ['invalid', 'timeout'].filter((branch) => !leads(id, branch))
      if (missing.length > 0) warn('question_open', id, openSentence(missing))
    }
    const hasWay = edges.some(({ source }) => source === id)
    const mayEnd = !decides.has(settings.kind) && !asks.has(settings.kind)
    const isTrigger = nodeKinds.trigger.some((kind) => kind === settings.kind)
    if (!hasWay && (!mayEnd || isTrigger)) warn('dead_end', id, deadEnds[kind])
  }
  if (kind === 'bot' && nodes.length > 0 && !nodes.some(({ settings }) => settings.kind === 'assign'))
    warn('never_hands_over', null, 'This bot gives no conversation to a person, unless a customer asks for one.')
}

const startsOnceSentence =
  'Nobody gets it a second time: “When it starts” says once for each contact. Choose another rule there, or accept this.'

const deadEnds: Readonly<Record<FlowKind, string>> = {
  bot: 'Nothing follows here: the conversation with the bot ends.',
  workflow: 'Nothing follows here: the workflow ends.',
}

const tooManySentences: Readonly<Record<FlowKind, string>> = {
  bot: 'This may be the eleventh message within a minute: then none of them is sent, and the conversation goes to people. Ask something, or wait, in between.',
  workflow:
    'This may be the eleventh message within a minute: then none of them is sent, and the run ends. Wait in between.',
}

const windowSentences: Readonly<Record<FlowKind, string>> = {
  bot: 'This may be sent a day after the customer’s last message, when only templates are delivered.',
  workflow:
    'Without a message of the customer within a day only templates are delivered. Send a template, or draw what follows a failure.',
}

const openSentence = (missing: readonly string[]): string =>
  [
    missing.includes('invalid') ? 'An answer that does not fit goes to people in the end.' : '',
    missing.includes('timeout') ? 'Without an answer in time the session ends.' : '',
  ]
    .filter(Boolean)
    .join(' ')
