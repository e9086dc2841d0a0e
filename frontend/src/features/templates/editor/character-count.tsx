import { useWatch } from 'react-hook-form'
import styles from './editor.module.css'
import type { TemplateFormValues } from './form-values.ts'

type Counted =
  | 'name'
  | 'header'
  | 'body'
  | 'footer'
  | 'offer.text'
  | `buttons.${number}.${'text' | 'url'}`
  | `cards.${number}.body`
  | `cards.${number}.buttons.${number}.text`

/** Shows a text's length and WhatsApp's limit: placeholders with their braces, and line breaks, count. */
export function CharacterCount({ name, max }: { name: Counted; max: number }) {
  const text = useWatch<TemplateFormValues>({ name })
  const length = typeof text === 'string' ? text.length : 0
  return (
    <span className={styles['count']} data-over={length > max || undefined}>
      <span aria-hidden="true">
        {length}/{max}
      </span>
      <span className="visually-hidden">{`${length} of ${max} characters`}</span>
    </span>
  )
}
