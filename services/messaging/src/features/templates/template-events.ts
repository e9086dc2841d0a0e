import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { readTemplateEvent } from '../../whatsapp/template-calls.ts'
import type { TemplateStore } from './template-store.ts'
import { templateKey } from './templates.model.ts'
import type { TemplatesRepository } from './templates.repository.ts'

export type TemplateEvents = ReturnType<typeof createTemplateEvents>

/** What WhatsApp tells of templates by webhooks. */
export function createTemplateEvents({ templates, store }: { templates: TemplatesRepository; store: TemplateStore }) {
  /** Applies a webhook about a template, inside the transaction that takes it from its lane. */
  async function apply(
    scope: WorkspaceScope,
    { accountId, field, value }: { accountId: string; field: string; value: unknown },
    tx: Tx,
  ): Promise<void> {
    const told = readTemplateEvent(field, value)
    if (!told) return
    const set = {
      ...(told.status && { status: told.status }),
      ...(told.status === 'rejected' && { rejectionReason: (told.rejectionReason ?? '').slice(0, 300) }),
      ...(told.category && { category: told.category }),
      ...(told.quality && { quality: told.quality }),
    }
    const template = await templates.byKey(scope, templateKey(accountId, told), { session: tx.session })
    // What is known already is not written: people may have its form open.
    if (!template || Object.entries(set).every(([name, value]) => Reflect.get(template, name) === value)) return
    await store.changeWithin(scope, template.id, { $set: set }, tx)
  }

  return { apply }
}
