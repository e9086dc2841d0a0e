import { type JudgedHeader, missingHeader } from './template-headers.ts'

interface WithMedia {
  readonly headerMedia?: JudgedHeader | undefined
  readonly cards?: readonly { readonly headerMedia: JudgedHeader }[] | undefined
}

/** Reason why nothing can be sent of a template: its header, or one of its cards, lacks what is shown there. */
export function missingMedia({ headerMedia, cards = [] }: WithMedia): string | undefined {
  const index = cards.findIndex((card) => missingHeader(card.headerMedia) !== undefined)
  return (
    missingHeader(headerMedia) ??
    (index === -1 ? undefined : `${missingHeader(cards[index]?.headerMedia)} on card ${index + 1}`)
  )
}

/** Reason why an approved template cannot be sent, without a full stop; `undefined` for one that can. */
export const unsendableReason = (
  template: WithMedia & { readonly unsupported?: readonly string[] | undefined },
): string | undefined =>
  template.unsupported?.length
    ? `It has a part that Parley cannot fill in: ${template.unsupported.join(', ')}`
    : missingMedia(template)
