import { isDeepStrictEqual } from 'node:util'
import { templateFieldsSchema } from '@parley/contracts/templates/templates'
import { type ReadTemplate, readComponents } from '../../whatsapp/read-components.ts'
import {
  categoryOf,
  detailOf,
  qualityOf,
  reasonOf,
  statusOf,
  type TemplateAtWhatsApp,
} from '../../whatsapp/template-calls.ts'
import { definitionOf } from '../../whatsapp/template-components.ts'
import { type TemplateRecord, templateKey } from './templates.model.ts'
import type { FieldChange, NewTemplateRecord } from './templates.repository.ts'

const maxJson = 64 * 1024

/** A template that was written elsewhere. @returns `undefined` where not even its name can be kept. */
export function newRecordOf(businessAccountId: string, atWhatsApp: TemplateAtWhatsApp): NewTemplateRecord | undefined {
  const { name, language } = atWhatsApp
  const texts = textsOf(atWhatsApp)
  const category = categoryOf(atWhatsApp.category) ?? 'marketing'
  const fields = templateFieldsSchema.safeParse({ name, language, category, ...texts.content }).data
  if (!fields) return undefined
  const detail = detailOf(atWhatsApp.status)
  const quality = qualityOf(atWhatsApp.quality_score?.score)
  const status = statusOf(atWhatsApp.status) ?? 'disabled'
  return {
    ...fields,
    ...texts.extra,
    businessAccountId,
    key: templateKey(businessAccountId, atWhatsApp),
    waTemplateId: atWhatsApp.id,
    status,
    ...(status === 'rejected' && { rejectionReason: reasonOf(atWhatsApp.rejected_reason) }),
    ...(detail && { statusDetail: detail }),
    ...(quality && { quality }),
  }
}

/**
 * Returns the changes that make a template equal to WhatsApp's; `undefined` where it is equal.
 * @param askedAt webhook news from earlier seconds is older than the answer.
 */
export function changesOf(
  record: TemplateRecord,
  atWhatsApp: TemplateAtWhatsApp,
  askedAt: Date,
): FieldChange | undefined {
  const at = new Date(Math.floor(askedAt.getTime() / 1000) * 1000)
  const set: Record<string, unknown> = {}
  const unset: Record<string, ''> = {}
  const status = statusOf(atWhatsApp.status)
  const detail = detailOf(atWhatsApp.status)
  if (status && (status !== record.status || (detail ?? record.statusDetail) !== record.statusDetail)) {
    Object.assign(set, { status, 'toldAt.status': at })
    if (detail) set['statusDetail'] = detail
    else unset['statusDetail'] = ''
    if (status === 'rejected') set['rejectionReason'] = reasonOf(atWhatsApp.rejected_reason)
    else unset['rejectionReason'] = ''
  }
  const category = categoryOf(atWhatsApp.category)
  if (category && category !== record.category) {
    Object.assign(set, { category, 'toldAt.category': at })
    unset['nextCategory'] = ''
  }
  const quality = qualityOf(atWhatsApp.quality_score?.score)
  if (quality && quality !== (record.quality ?? 'unknown')) Object.assign(set, { quality, 'toldAt.quality': at })
  if (atWhatsApp.id !== record.waTemplateId) set['waTemplateId'] = atWhatsApp.id
  if (!hasSameComponents(record, atWhatsApp)) {
    const { content, extra } = textsOf(atWhatsApp, record)
    Object.assign(set, content, extra)
    for (const part of ['header', 'headerMedia', 'footer', 'authentication', 'offer', 'cards'] as const)
      if (content[part] === undefined) unset[part] = ''
    for (const part of ['unsupported', 'components'] as const) if (extra[part] === undefined) unset[part] = ''
  }
  if (Object.keys(set).length === 0) return undefined
  return { $set: set, ...(Object.keys(unset).length > 0 && { $unset: unset }) }
}

/**
 * Returns whether a template says the same at WhatsApp; sample values are ignored, as the platform may store them differently.
 */
export function hasSameComponents(
  record: TemplateRecord,
  { components }: Pick<TemplateAtWhatsApp, 'components'>,
): boolean {
  if (record.components !== undefined) {
    const { name, language } = record
    const { extra } = textsOf({ name, language, components }, record)
    return isDeepStrictEqual(extra, { unsupported: record.unsupported, components: record.components })
  }
  const there = readComponents(components, record)
  if (there.unsupported.length > 0) return false
  return canonical(there) === canonical(readComponents(definitionOf(record).components, record))
}

/** The texts of an authentication template are WhatsApp’s, in its language. */
const canonical = ({ content }: ReadTemplate): string => {
  const { header, headerMedia, body, footer, buttons, cards, authentication, offer } = content
  const cardsOf = cards?.map((card) => [card.headerMedia.kind, card.body, card.buttons])
  return JSON.stringify(
    authentication
      ? [authentication.securityRecommendation, authentication.expiresInMinutes, authentication.autofill]
      : [header, headerMedia?.kind, offer, body, footer, buttons, cardsOf],
  )
}

const jsonOf = (components: readonly unknown[]): string => {
  const json = JSON.stringify(components)
  return json.length > maxJson ? JSON.stringify({ characters: json.length }) : json
}

/** Returns the content that can be shown; where that is not all, every component too. */
function textsOf(
  { components, ...atWhatsApp }: Pick<TemplateAtWhatsApp, 'name' | 'language' | 'components'>,
  ours?: TemplateRecord,
) {
  const { content, unsupported } = readComponents(components, ours)
  const { name, language } = atWhatsApp
  const isShowable = templateFieldsSchema.safeParse({ name, language, category: 'utility', ...content }).success
  if (isShowable && unsupported.length === 0) return { content, extra: {} }
  const parts = [
    ...unsupported.map((part) => part.slice(0, 100)),
    ...(isShowable ? [] : ['text that Parley cannot show']),
  ]
  const shown = { body: content.body.slice(0, 1024).trim() || '…', buttons: [], examples: {} }
  return {
    content: isShowable
      ? content
      : {
          ...shown,
          header: undefined,
          footer: undefined,
          headerMedia: undefined,
          authentication: undefined,
          offer: undefined,
          cards: undefined,
        },
    extra: { unsupported: [...new Set(parts)].slice(0, 50), components: jsonOf(components) },
  }
}
