import { fillPlaceholders, templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { shownButtons } from '@parley/rules/template-parts'
import { useFormContext, useWatch } from 'react-hook-form'
import { useClock } from '../../../lib/use-clock.ts'
import { useUser } from '../../../lib/user.ts'
import { MessagePreview } from '../../../ui/message-preview.tsx'
import styles from './editor.module.css'
import { contentOf, type TemplateFormValues } from './form-values.ts'

const dayMs = 24 * 3600_000

/** The message as it stands on a phone, filled with its sample values. */
export function TemplatePreview() {
  const form = useFormContext<TemplateFormValues>()
  useWatch({ control: form.control })
  const { header, headerMedia, authentication, offer, body, footer, buttons, examples } = contentOf(form.getValues())
  const { now } = useClock(0)
  const tomorrow = new Date(now.getTime() + dayMs)
  const workspace = useUser().data?.workspaceName
  const filled = (text: string) =>
    fillPlaceholders(
      text,
      Object.fromEntries(templatePlaceholders({ header, body, buttons: [] }).map((key) => [key, examples[key] ?? ''])),
    )
  return (
    <aside className={styles['preview']} aria-label="Preview">
      <h2 className={styles['previewTitle']}>Preview with sample values</h2>
      <MessagePreview
        sender={workspace || 'Your business'}
        message={{
          header: filled(header ?? ''),
          headerMedia,
          offer: offer && { text: offer.text, ...(offer.hasExpiration && { endsAt: tomorrow.toISOString() }) },
          body: filled(body),
          footer,
          buttons: shownButtons({ authentication, buttons }),
        }}
      />
    </aside>
  )
}
