import type { CampaignText } from '@parley/contracts/campaigns/campaign-text'
import { isFileHeader } from '@parley/contracts/campaigns/recipient-files'
import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { missingMedia } from '@parley/contracts/templates/unsendable'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { contentKey, type KeyedContent } from '../templates/content-key.ts'
import type { CampaignRecord } from './campaigns.model.ts'
import type { CampaignsService } from './campaigns.service.ts'
import { isChanged } from './run/auto-pause.ts'

type Sends = Pick<CampaignRecord, 'template' | 'variables' | 'frozen' | 'startedAt' | 'recipientFile'>

/** Compares what a campaign sends with what its template says by now, where a member has to decide about that. */
export function createCampaignText({
  shown,
  meansOf,
}: {
  shown: Pick<CampaignsService, 'find'>
  /** Reads a campaign's template as it is now. */
  meansOf: (campaign: CampaignRecord) => Promise<{ readonly template: KeyedContent | undefined }>
}) {
  return async (scope: WorkspaceScope, id: string): Promise<CampaignText> => {
    const campaign = await shown.find(scope, id)
    const isOver = campaign.status === 'completed' || campaign.status === 'cancelled'
    const now = isOver ? undefined : (await meansOf(campaign)).template
    return {
      text: textOf(campaign.template),
      changed: isChanged(campaign.template, now)
        ? {
            text: textOf(now),
            key: contentKey(now),
            unfilled: unfilledIn(campaign, now),
            unsupported: [...(now.unsupported ?? [])],
          }
        : null,
    }
  }
}

/**
 * Returns the new text, where the member who resumes a campaign has seen it and it can be filled in.
 * @throws `pause_reason_holds` otherwise.
 */
export function acceptedText(campaign: Sends, now: KeyedContent, expected: string | undefined) {
  const refuse = (message: string) => new AppError('pause_reason_holds', message)
  if (expected !== contentKey(now))
    throw refuse('Its template’s text has changed. Review the new text, then continue with it or cancel.')
  if (now.unsupported?.length)
    throw refuse(`Parley cannot fill in a part of the new text: ${now.unsupported.join(', ')}. Cancel the campaign.`)
  const [unfilled] = unfilledIn(campaign, now)
  if (unfilled !== undefined)
    throw refuse(`The campaign has no value for {{${unfilled}}} of the new text. Cancel it, and create another one.`)
  const kind = now.headerMedia?.kind
  const ownKind = campaign.recipientFile && campaign.template.headerMedia?.kind
  // Files of recipients are fetched as the kind that they began as.
  if (ownKind !== undefined && kind !== ownKind)
    throw refuse(
      `Each recipient has a file of their own, a ${ownKind}; the new text has none above it. Cancel the campaign.`,
    )
  const missing = ownKind !== undefined && isFileHeader(kind) ? undefined : missingMedia(now)
  if (missing !== undefined) throw refuse(`${missing}: give it one before you continue.`)
  const {
    header: _header,
    headerMedia: _media,
    offer: _offer,
    footer: _footer,
    cards: _cards,
    ...kept
  } = campaign.template
  return { ...kept, ...textOf(now) }
}

/** Returns the new text's variables without a value: a campaign that has begun has values for those of the old text only. */
function unfilledIn({ template, variables, frozen, startedAt }: Sends, now: KeyedContent): string[] {
  const has = new Set(frozen.rows === 0 || !startedAt ? Object.keys(variables) : templatePlaceholders(template))
  return templatePlaceholders(now).filter((key) => !has.has(key))
}

const textOf = ({ header, headerMedia, offer, body, footer, buttons, cards }: KeyedContent): CampaignText['text'] => ({
  ...(header && { header }),
  ...(headerMedia && { headerMedia }),
  ...(offer && { offer }),
  body,
  ...(footer && { footer }),
  buttons: [...buttons],
  ...(cards && { cards: [...cards] }),
})
