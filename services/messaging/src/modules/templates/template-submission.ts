import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import fastq from 'fastq'
import { classifyError } from '../../whatsapp/error-classes.ts'
import { GraphCallFailed, type GraphRefusal } from '../../whatsapp/graph-answer.ts'
import { type TemplateAccess, templateCalls } from '../../whatsapp/template-calls.ts'
import { hasSameComponents } from './template-differences.ts'
import type { Sample, TemplateHeaders } from './template-headers.ts'
import type { Caller, TemplateStore } from './template-store.ts'
import type { TemplateSyncs } from './template-syncs.ts'
import type { TemplateRecord } from './templates.model.ts'

const exists = 2388024
/** Sample files that are uploaded at once. */
const maxUploads = 4

/**
 * Hands a template to WhatsApp. The record has `submittedAt` from before the call until WhatsApp’s answer is known; an answer
 * that was lost is asked back by the template’s name, and where that fails too, the next comparison settles it.
 */
export function createTemplateSubmission({
  store,
  headers: { samplesOf },
  syncs: { askSoon },
}: {
  store: TemplateStore
  /** The files that WhatsApp's reviewers see above its text, or on its cards. */
  headers: Pick<TemplateHeaders, 'samplesOf'>
  /** Has the account's templates compared with those at WhatsApp. */
  syncs: Pick<TemplateSyncs, 'askSoon'>
}) {
  /**
   * Creates it at WhatsApp, or finds it there from an earlier call.
   * @param isRepeated an earlier call may have created it.
   * @throws with WhatsApp's own words, after `undo`.
   */
  async function create(
    caller: Caller,
    record: TemplateRecord,
    { access, isRepeated, undo }: { access: TemplateAccess; isRepeated: boolean; undo: () => Promise<unknown> },
  ): Promise<TemplateRecord> {
    const handles = await handlesOf(caller, record, { access, undo })
    const settle = async (waTemplateId: string) =>
      (await store.change(caller, record.id, { $set: { waTemplateId }, $unset: answered })) ?? record
    try {
      const known = isRepeated ? await sameAtWhatsApp(access, record) : undefined
      return await settle(known ?? (await templateCalls.create(access, record, handles)))
    } catch (error) {
      const mayExist = error instanceof GraphCallFailed && (isLost(error) || error.refusal?.subcode === exists)
      const known = mayExist ? await sameAtWhatsApp(access, record).catch(() => undefined) : undefined
      if (known !== undefined) return settle(known)
      throw await refusalOf(caller, record, { error, undo })
    }
  }

  /** Replaces what it says at WhatsApp. @throws with WhatsApp's own words, after `undo`. */
  async function edit(
    caller: Caller,
    record: TemplateRecord,
    { access, waTemplateId, undo }: { access: TemplateAccess; waTemplateId: string; undo: () => Promise<unknown> },
  ): Promise<TemplateRecord> {
    const handles = await handlesOf(caller, record, { access, undo })
    try {
      await templateCalls.edit(access, waTemplateId, { content: record, handles })
    } catch (error) {
      const mayBeTaken = error instanceof GraphCallFailed && isLost(error)
      const known = mayBeTaken ? await sameAtWhatsApp(access, record).catch(() => undefined) : undefined
      if (known === undefined) throw await refusalOf(caller, record, { error, undo })
    }
    return (await store.change(caller, record.id, { $unset: answered })) ?? record
  }

  /**
   * Uploads the sample files, a few at once: the person waits. Nothing was sent to WhatsApp before: a failure here undoes the
   * submission.
   */
  async function handlesOf(
    scope: WorkspaceScope,
    record: TemplateRecord,
    { access, undo }: { access: TemplateAccess; undo: () => Promise<unknown> },
  ): Promise<string[]> {
    let failedAt = 0
    try {
      const samples = await samplesOf(scope, record)
      if (samples.length === 0) return []
      const appId = await templateCalls.appId(access)
      const upload = ({ open }: Sample) => templateCalls.uploadSample(access, appId, open())
      const queue = fastq.promise(upload, maxUploads)
      const ended = await Promise.allSettled(samples.map((sample) => queue.push(sample)))
      return ended.map((result, index) => {
        if (result.status === 'fulfilled') return result.value
        failedAt = samples[index]?.place ?? 0
        throw result.reason
      })
    } catch (error) {
      await undo()
      throw inWhatsAppsWords(error, record.cards ? `cards.${failedAt}.headerMedia` : 'headerMedia')
    }
  }

  async function refusalOf(
    scope: WorkspaceScope,
    record: TemplateRecord,
    { error, undo }: { error: unknown; undo: () => Promise<unknown> },
  ): Promise<unknown> {
    if (!(error instanceof GraphCallFailed) || !isLost(error)) {
      await undo()
      return inWhatsAppsWords(error)
    }
    await store.change(scope, record.id, { $set: { statusDetail: 'WhatsApp has not answered yet.' } })
    await askSoon(scope, record.businessAccountId)
    const message =
      'WhatsApp did not respond. The list will soon show whether it received the template. Sending it twice does no harm.'
    return new AppError('upstream_failed', message)
  }

  return { create, edit }
}

/** Fields that are unset once WhatsApp's answer is known. */
const answered = { submittedAt: '', statusDetail: '' } as const

const isLost = ({ refusal, neverLeft }: GraphCallFailed): boolean => refusal === undefined && !neverLeft

/** Returns its id at WhatsApp, where the template of this name has the same content. */
async function sameAtWhatsApp(access: TemplateAccess, record: TemplateRecord): Promise<string | undefined> {
  for await (const page of templateCalls.list(access, { name: record.name }))
    for (const atWhatsApp of page)
      if (
        atWhatsApp.name === record.name &&
        atWhatsApp.language === record.language &&
        hasSameComponents(record, atWhatsApp)
      )
        return atWhatsApp.id
  return undefined
}

/** Fields that WhatsApp's refusals are about: the name that exists, the form of header and footer. */
const refusedFields: Readonly<Record<number, string>> = {
  [exists]: 'name',
  2388047: 'header',
  2388073: 'footer',
}

/** Returns advice for a refusal of which WhatsApp gave only a code. */
function adviceOn({ code, subcode }: GraphRefusal): string {
  const { title, advice } = classifyError(subcode ?? code)
  return `${title}. ${advice}`
}

function inWhatsAppsWords(error: unknown, field = 'body'): unknown {
  if (!(error instanceof GraphCallFailed)) return error
  const { refusal } = error
  return refusal
    ? errors.validation({
        [refusedFields[refusal.subcode ?? refusal.code] ?? field]: refusal.message || adviceOn(refusal),
      })
    : new AppError('upstream_failed', error.message)
}
