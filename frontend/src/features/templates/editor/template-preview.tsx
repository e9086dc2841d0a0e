import { fillPlaceholders, templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { shownButtons } from '@parley/rules/template-parts'
import { useFormContext, useWatch } from 'react-hook-form'
import { useUser } from '../../../lib/user.ts'
import { MessagePreview } from '../../../ui/message-preview.tsx'
import styles from './editor.module.css'
import { contentOf, type TemplateFormValues } from './form-values.ts'

/** The message as it stands on a phone, filled with its sample values. */
export function TemplatePreview() {
  const form = useFormContext<TemplateFormValues>()
  useWatch({ control: form.control })
  const { header, headerMedia, authentication, body, footer, buttons, examples } = contentOf(form.getValues())
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
          body: filled(body),
          footer,
          buttons: shownButtons({ authentication, buttons }),
        }}
      />
    </aside>
  )
}
