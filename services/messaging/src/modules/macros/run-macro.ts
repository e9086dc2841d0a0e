import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { type MacroAction, macroActionLabel, type macrosApi } from '@parley/contracts/inbox/macros'
import { fillPlaceholders } from '@parley/contracts/templates/placeholders'
import { writtenPhone } from '@parley/phone'
import { contactVariables } from '@parley/rules/contact-variables'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { newId } from '@parley/service-kit/data/plain'
import type { UserContext } from '@parley/service-kit/http/context'
import { messageCauseOf } from '../../platform/actor-of.ts'
import type { MemberFactsService } from '../../platform/member-facts.ts'
import type { ContactChangesService } from '../contacts/contact-changes.service.ts'
import type { Inbox } from '../inbox/module.ts'
import type { MacroRecord } from './macros.model.ts'
import type { MacrosService } from './macros.service.ts'

type Request = EndpointInput<typeof macrosApi.run>['body']
type Result = EndpointResponse<typeof macrosApi.run>

interface Dependencies extends Pick<Inbox, 'inbox' | 'changes' | 'actions' | 'outgoing' | 'conversations'> {
  readonly macros: Pick<MacrosService, 'find'>
  readonly contactChanges: Pick<ContactChangesService, 'addTag' | 'removeTag'>
  readonly members: Pick<MemberFactsService, 'find' | 'check'>
  readonly now?: Clock
}

/** State of the conversation as one run has seen it, and the names of its messages. */
interface Run {
  readonly conversationId: string
  readonly contact: Conversation['contact']
  readonly version: number | undefined
  /** Names a message of the run, so that a repeated call sends none twice. */
  readonly clientIdOf: (index: number) => string
}

/** Carries out macros. Each action is that of the endpoint by which a member does it by hand, with its checks. */
export function createMacroRuns(deps: Dependencies) {
  const { changes, actions, outgoing, conversations, contactChanges, members, now = () => new Date() } = deps

  /**
   * Checks all that can be known before anything is done, then carries the actions out, up to the first that is refused.
   * @throws what refuses the first action, or any action beforehand: then nothing was done.
   */
  async function run(ctx: UserContext, conversationId: string, request: Request): Promise<Result> {
    await deps.inbox.requireReach(ctx, conversationId)
    const macro = await deps.macros.find(ctx, request.macroId, request.macroVersion)
    const { contact } = await conversations.show(ctx, conversationId)
    const intentId = ctx.intent?.id ?? newId()
    const context: Run = {
      conversationId,
      contact,
      version: request.version,
      clientIdOf: (index) => `${intentId.slice(0, 48)}-${index}`,
    }
    for (const [index, action] of macro.actions.entries()) await checkFirst(ctx, action, { ...context, index })
    let done = 0
    let { version } = request
    try {
      for (const [index, action] of macro.actions.entries()) {
        await carryOut(ctx, action, { ...context, version, index })
        done = index + 1
        // A reply takes the conversation: that is no colleague's change.
        if (action.kind === 'reply' && version !== undefined)
          version = (await conversations.show(ctx, conversationId)).version
      }
    } catch (error) {
      if (done === 0 || !(error instanceof AppError)) throw error
      const refused = { index: done, code: error.code, message: await sentenceOf(ctx, macro, done, error.message) }
      return { conversation: await conversations.show(ctx, conversationId), done, refused }
    }
    return { conversation: await conversations.show(ctx, conversationId), done, refused: null }
  }

  /** Asks what the runner may do, and whether it can be done now. */
  async function checkFirst(ctx: UserContext, action: MacroAction, run: Run & { index: number }): Promise<void> {
    if ((action.kind === 'add_tag' || action.kind === 'remove_tag') && !ctx.may('contacts:write'))
      throw errors.forbidden('You may not change contacts.')
    if ((action.kind === 'assign' || action.kind === 'unassign') && !ctx.may('conversations:assign'))
      throw errors.forbidden('You may not assign conversations.')
    if (action.kind === 'assign' && action.memberId !== undefined && action.memberId !== ctx.userId)
      await members.check(ctx, [action.memberId], 'owner')
    if (action.kind === 'reply') await outgoing.check(ctx, run.conversationId, sendOf(ctx, action, run))
  }

  async function carryOut(ctx: UserContext, action: MacroAction, run: Run & { index: number }): Promise<void> {
    const { conversationId, contact, version } = run
    const own = version === undefined ? {} : { version }
    switch (action.kind) {
      case 'add_tag':
        await contactChanges.addTag(ctx, contact.id, action.tag)
        return
      case 'remove_tag':
        await contactChanges.removeTag(ctx, contact.id, action.tag)
        return
      case 'assign': {
        const owner = { kind: 'member' as const, id: action.memberId ?? ctx.userId }
        await changes.update(ctx, conversationId, { owner, ...own })
        return
      }
      case 'unassign':
        await changes.update(ctx, conversationId, { owner: { kind: 'nobody' }, ...own })
        return
      case 'reply':
        await outgoing.send(ctx, conversationId, sendOf(ctx, action, run))
        return
      case 'note':
        await actions.note(ctx, conversationId, { text: action.text, clientId: run.clientIdOf(run.index) })
        return
      case 'snooze': {
        const snoozedUntil = new Date(now().getTime() + action.hours * 3_600_000).toISOString()
        await changes.update(ctx, conversationId, { status: 'snoozed', snoozedUntil })
        return
      }
      case 'close':
        await changes.update(ctx, conversationId, { status: 'closed' })
    }
  }

  const sendOf = (
    ctx: UserContext,
    { text }: Extract<MacroAction, { kind: 'reply' }>,
    run: Run & { index: number },
  ) => ({
    content: { type: 'text' as const, text: fillPlaceholders(text, contactVariables(run.contact, writtenPhone)) },
    clientId: run.clientIdOf(run.index),
    cause: messageCauseOf(ctx),
  })

  /** Tells what was done, what was refused and why, and what was therefore left out. */
  async function sentenceOf(ctx: UserContext, macro: MacroRecord, done: number, why: string): Promise<string> {
    const ids = macro.actions.flatMap((action) => (action.kind === 'assign' ? (action.memberId ?? []) : []))
    const { found } = await members.find(ctx, ids)
    const labels = macro.actions.map((action) => macroActionLabel(action, (id) => found.get(id)?.name ?? 'a member'))
    const left = labels.length - done - 1
    return [
      `Done: ${labels.slice(0, done).join(', ')}.`,
      `Refused: ${labels[done]}. ${why}`,
      left > 0 ? `Not done: ${labels.slice(done + 1).join(', ')}.` : '',
    ]
      .join(' ')
      .trim()
      .slice(0, 600)
  }

  return { run }
}
