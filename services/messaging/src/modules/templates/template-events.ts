import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { readTemplateEvent } from '../../whatsapp/template-calls.ts'
import type { TemplateReads } from './template-reads.ts'
import type { TemplateStore } from './template-store.ts'
import type { TemplateSyncs } from './template-syncs.ts'
import { type DatedField, templateKey } from './templates.model.ts'
import type { TemplatesRepository } from './templates.repository.ts'
import { isUnsent } from './unsent.ts'

const datedFields: readonly DatedField[] = ['status', 'category', 'quality']

/** Applies WhatsApp's webhooks about templates. */
export function createTemplateEvents({
  templates,
  store,
  syncs: { askSoon },
  reads: { ask: askToRead },
}: {
  templates: TemplatesRepository
  store: TemplateStore
  /** Has the account's templates compared with those at WhatsApp. */
  syncs: Pick<TemplateSyncs, 'askSoon'>
  /** Has one template read from WhatsApp. */
  reads: Pick<TemplateReads, 'ask'>
}) {
  /** Applies a webhook about a template, inside the transaction that takes it from its lane. */
  async function apply(
    scope: WorkspaceScope,
    { accountId, field, value, at }: { accountId: string; field: string; value: unknown; at: Date },
    tx: Tx,
  ): Promise<void> {
    const event = readTemplateEvent(field, value)
    if (!event) return
    const template =
      (await templates.byKey(scope, templateKey(accountId, event), { session: tx.session })) ??
      (event.id === undefined ? null : await templates.byPlatformId(scope, event.id, { session: tx.session }))
    // A template that was removed here stays removed, whatever its state at WhatsApp.
    if (template?.removedAt) return
    const isNews = (of: DatedField) => event[of] !== undefined && !(at < (template?.toldAt?.[of] ?? at))
    // An event that is older than the last, or from the same second, does not show what is true now.
    const isUnclear = datedFields.some((of) => event[of] !== undefined && at <= (template?.toldAt?.[of] ?? new Date(0)))
    const waTemplateId = template?.waTemplateId ?? event.id
    // The event is about a template with the name of a draft, whose content may be another.
    const isOther = template !== null && isUnsent(template)
    if (!template || isOther || event.isVague || isUnclear)
      await (waTemplateId === undefined
        ? askSoon(scope, accountId, tx)
        : askToRead(scope, { businessAccountId: accountId, waTemplateId }, tx))
    if (!template || isOther) return
    const { status, statusDetail, rejectionReason, category, nextCategory, quality } = event
    // A verdict that was read before its webhook came has fewer words.
    const hasReason = status === 'rejected' && (isNews('status') || template.status === status)
    const set: Record<string, unknown> = {
      ...(isNews('status') && { status, ...(statusDetail && { statusDetail: statusDetail.slice(0, 300) }) }),
      ...(hasReason && rejectionReason && { rejectionReason: rejectionReason.slice(0, 300) }),
      ...(isNews('category') && { category, ...(nextCategory && { nextCategory }) }),
      ...(isNews('quality') && { quality }),
    }
    const gone = [
      ...(isNews('status') && !statusDetail && template.statusDetail ? ['statusDetail'] : []),
      ...(isNews('status') && status !== 'rejected' && template.rejectionReason ? ['rejectionReason'] : []),
      ...(isNews('category') && !nextCategory && template.nextCategory ? ['nextCategory'] : []),
    ]
    const times = Object.fromEntries(
      datedFields.flatMap((of) =>
        isNews(of) && at.getTime() !== template.toldAt?.[of]?.getTime() ? [[`toldAt.${of}`, at]] : [],
      ),
    )
    // Unchanged values are not written: a member may have the template's form open.
    const isKnown =
      gone.length === 0 && Object.entries(set).every(([name, value]) => Reflect.get(template, name) === value)
    if (isKnown && Object.keys(times).length === 0) return
    const update = {
      $set: { ...set, ...times },
      ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, ''])) }),
    }
    await store.changeWithin(scope, template, update, tx)
  }

  return { apply }
}
