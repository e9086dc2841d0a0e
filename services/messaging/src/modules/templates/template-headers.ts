import type { Card } from '@parley/contracts/templates/template-cards'
import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import {
  type HeaderFile,
  type HeaderFileKind,
  type HeaderMedia,
  headerFileProblem,
} from '@parley/contracts/templates/template-headers'
import { newProductProblem } from '@parley/contracts/templates/template-problems'
import type { Template, TemplateContent } from '@parley/contracts/templates/templates'
import { missingMedia } from '@parley/contracts/templates/unsendable'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UploadedFile } from '../../whatsapp/media-form.ts'
import { whyUnplayable } from '../../whatsapp/playable.ts'
import type { MediaService } from '../media/media.service.ts'
import { type Caller, showTemplate, type TemplateStore } from './template-store.ts'
import type { TemplatesService } from './templates.service.ts'
import { inUse } from './written-content.ts'

export type TemplateHeaders = ReturnType<typeof createTemplateHeaders>

/** Files, places and products that stand above the text of templates, and the files of their cards. */
export function createTemplateHeaders({
  media,
  store,
  find,
  campaignsOf,
}: {
  media: Pick<MediaService, 'find' | 'take'>
  store: Pick<TemplateStore, 'changeIfUnchanged'>
  find: TemplatesService['find']
  /** The campaigns that are to send a template. */
  campaignsOf: (scope: WorkspaceScope, templateId: string) => Promise<TemplateUse[]>
}) {
  /** The same with its files as they are stored, whatever was said of them. @throws `validation_failed` for one that is not there, or that WhatsApp refuses. */
  async function checked(scope: WorkspaceScope, content: TemplateContent): Promise<TemplateContent> {
    const { headerMedia, cards } = content
    return {
      ...content,
      ...(headerMedia && { headerMedia: await stored(scope, headerMedia) }),
      ...(cards && { cards: await storedCards(scope, cards) }),
    }
  }

  const storedCards = (scope: WorkspaceScope, cards: readonly Card[]): Promise<Card[]> =>
    Promise.all(
      cards.map(async (card, index) => {
        const { kind, file } = card.headerMedia
        if (!file) return card
        return {
          ...card,
          headerMedia: { kind, file: await storedFile(scope, kind, file, `cards.${index}.headerMedia`) },
        }
      }),
    )

  /** The same without files that are no longer kept: others have taken their place since. */
  async function withoutGone(scope: WorkspaceScope, content: TemplateContent): Promise<TemplateContent> {
    const isGone = async (file: HeaderFile | undefined) =>
      file !== undefined && !(await media.take(scope, file.mediaId))
    const { headerMedia, cards } = content
    const above =
      headerMedia && 'file' in headerMedia && (await isGone(headerMedia.file))
        ? { kind: headerMedia.kind }
        : headerMedia
    const shown = cards?.map(async (card) =>
      (await isGone(card.headerMedia.file)) ? { ...card, headerMedia: { kind: card.headerMedia.kind } } : card,
    )
    return { ...content, ...(above && { headerMedia: above }), ...(shown && { cards: await Promise.all(shown) }) }
  }

  async function stored(scope: WorkspaceScope, headerMedia: HeaderMedia): Promise<HeaderMedia> {
    if (headerMedia.kind === 'location' || headerMedia.kind === 'product' || !headerMedia.file) return headerMedia
    const { kind, file } = headerMedia
    return { kind, file: await storedFile(scope, kind, file, 'headerMedia') }
  }

  /** @param field at which a refusal is told. */
  async function storedFile(
    scope: WorkspaceScope,
    kind: HeaderFileKind,
    { mediaId, name }: HeaderFile,
    field: string,
  ): Promise<HeaderFile> {
    const found = await media.take(scope, mediaId)
    if (!found) throw errors.validation({ [field]: 'There is no such file. Upload it again.' })
    const file = { mediaId, name, mimeType: found.type, sizeBytes: found.sizeBytes }
    const problem = headerFileProblem({ kind, file })
    if (problem !== undefined) throw errors.validation({ [field]: `${problem}.` })
    const unplayable = whyUnplayable(kind, found)
    if (unplayable !== undefined) throw errors.validation({ [field]: unplayable })
    return file
  }

  /**
   * Replaces what stands above the text of a template, or on its cards, from now on. WhatsApp reviews only sample files, so it is
   * not asked.
   * @throws `not_found`, `stale_version`, `wrong_state`, `validation_failed`, `template_in_use`.
   */
  async function change(
    caller: Caller,
    id: string,
    { version, headerMedia, cards }: { version: number } & ShownMedia,
  ): Promise<Template> {
    const before = await find(caller, id)
    if (before.version !== version) throw errors.staleVersion(showTemplate(before))
    if (!cards && before.headerMedia?.kind !== headerMedia?.kind)
      throw errors.wrongState(`The header of ${before.name} is of another kind.`)
    const kindsOf = (some: readonly Pick<Card, 'headerMedia'>[] = []) =>
      some.map((card) => card.headerMedia.kind).join()
    const onCards = cards?.map((card) => ({ headerMedia: card }))
    if (onCards && kindsOf(before.cards) !== kindsOf(onCards))
      throw errors.wrongState(`${before.name} has other cards.`)
    checkProduct(before.headerMedia, headerMedia)
    const missing = missingMedia({ headerMedia, cards: onCards })
    if (missing !== undefined) throw errors.validation({ [cards ? 'cards' : 'headerMedia']: `${missing}.` })
    const sending = (await campaignsOf(caller, id)).filter(({ status }) => status === 'active')
    if (sending.length > 0) throw inUse(before.name, sending, 'Pause or cancel')
    const after = onCards
      ? { cards: await storedCards(caller, withMedia(before.cards, onCards)) }
      : headerMedia && { headerMedia: await stored(caller, headerMedia) }
    const isChanged = await store.changeIfUnchanged(caller, before, { $set: { ...after } })
    const current = await find(caller, id)
    if (!isChanged) throw errors.staleVersion(showTemplate(current))
    return showTemplate(current)
  }

  /** Finds the sample files of a template, for WhatsApp's reviewers: that of its header, or those of its cards. @throws `not_found`. */
  async function samplesOf(
    scope: WorkspaceScope,
    { headerMedia, cards = [] }: Pick<TemplateContent, 'headerMedia' | 'cards'>,
  ): Promise<Sample[]> {
    const samples: Sample[] = []
    const shown = [...(headerMedia ? [headerMedia] : []), ...cards.map((card) => card.headerMedia)]
    for (const [place, above] of shown.entries()) {
      if (!('file' in above) || !above.file) continue
      const { name: fileName, mediaId } = above.file
      const { media: found, open } = await media.find(scope, mediaId)
      const { type: mimeType, sizeBytes } = found
      samples.push({ place, open: () => ({ content: open(), sizeBytes, mimeType, fileName }) })
    }
    return samples
  }

  return { checked, withoutGone, change, samplesOf }
}

/** Sample file of a template; `place`: the card that it is on. */
export interface Sample {
  readonly place: number
  readonly open: () => UploadedFile
}

/** @throws `validation_failed` for a product that cannot be sent, `wrong_state` where another variable would have to be filled. */
function checkProduct(before: HeaderMedia | undefined, after: HeaderMedia | undefined): void {
  if (after?.kind !== 'product') return
  const problem = newProductProblem(before?.kind === 'product' ? before : undefined, after)
  if (problem?.isLocked) throw errors.wrongState(problem.message)
  if (problem) throw errors.validation({ 'headerMedia.product.id': problem.message })
}

/** Media of a template: above its text, or on each of its cards. */
interface ShownMedia {
  readonly headerMedia?: HeaderMedia | undefined
  readonly cards?: readonly Card['headerMedia'][] | undefined
}

const withMedia = (cards: readonly Card[] = [], media: readonly Pick<Card, 'headerMedia'>[]): Card[] =>
  cards.map((card, index) => ({ ...card, ...media[index] }))
