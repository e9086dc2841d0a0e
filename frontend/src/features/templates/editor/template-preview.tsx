import { offerEndsKey } from '@parley/contracts/templates/template-offers'
import { useFormContext, useWatch } from 'react-hook-form'
import { previewedTemplate } from '../../../lib/previewed-template.ts'
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
  const content = contentOf(form.getValues())
  const { now } = useClock(0)
  const tomorrow = new Date(now.getTime() + dayMs)
  const workspace = useUser().data?.workspaceName
  return (
    <aside className={styles['preview']} aria-label="Preview">
      <h2 className={styles['previewTitle']}>Preview with sample values</h2>
      <MessagePreview
        sender={workspace || 'Your business'}
        message={previewedTemplate(content, { ...content.examples, [offerEndsKey]: tomorrow.toISOString() })}
      />
    </aside>
  )
}
