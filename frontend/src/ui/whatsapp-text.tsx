import { parsePlaceholders } from '@parley/contracts/templates/placeholder-pieces'
import { type FormatStyle, type FormattedPiece, parseFormat } from '@parley/rules/whatsapp-format'
import { Fragment, type ReactNode } from 'react'
import styles from './whatsapp-text.module.css'

const tags = { bold: 'strong', italic: 'em', strike: 's', mono: 'code' } as const satisfies Record<FormatStyle, string>

/** A text as WhatsApp shows it, its placeholders marked. */
export function WhatsAppText({ text }: { text: string }): ReactNode {
  return <Pieces pieces={parseFormat(text)} />
}

function Pieces({ pieces }: { pieces: readonly FormattedPiece[] }) {
  let at = 0
  return pieces.map((piece) => {
    at += 1
    if (piece.kind === 'text') return <Marked key={at} text={piece.text} />
    const Tag = tags[piece.kind]
    return (
      <Tag key={at} className={styles[piece.kind]}>
        <Pieces pieces={piece.pieces} />
      </Tag>
    )
  })
}

/** Plain text with its placeholders marked; also for headers, which take no styles. */
export function Marked({ text }: { text: string }) {
  let at = 0
  return parsePlaceholders(text).map((piece) => {
    at += 1
    if (piece.kind === 'text') return <Fragment key={at}>{piece.text}</Fragment>
    return (
      <mark key={at} className={styles['placeholder']} dir="ltr">
        {piece.text}
      </mark>
    )
  })
}
