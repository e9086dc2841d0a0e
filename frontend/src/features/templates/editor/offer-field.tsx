import { offerLimits } from '@parley/contracts/templates/template-offers'
import { Checkbox, Input } from 'antd'
import { useController, useFormContext, useWatch } from 'react-hook-form'
import { CharacterCount } from './character-count.tsx'
import styles from './editor.module.css'
import { TemplateField } from './findings.tsx'
import type { TemplateFormValues } from './form-values.ts'

/** Adds an offer for a limited time, which WhatsApp sets apart above the text; marketing alone has one. */
export function OfferField() {
  const { control } = useFormContext<TemplateFormValues>()
  const { field } = useController({ control, name: 'offer' })
  const category = useWatch({ control, name: 'category' })
  const offer = field.value
  if (category !== 'marketing' && !offer) return null
  return (
    <div className={styles['body']}>
      <Checkbox
        checked={offer !== undefined}
        onChange={({ target }) => field.onChange(target.checked ? { text: '', hasExpiration: true } : undefined)}
      >
        Limited-time offer
      </Checkbox>
      {offer && (
        <>
          <TemplateField
            control={control}
            name="offer.text"
            label="Offer"
            hint="Stands above the message, which has no footer then, and buttons for a code and a website."
            aside={<CharacterCount name="offer.text" max={offerLimits.text} />}
          >
            {(input) => <Input {...input} dir="auto" autoComplete="off" placeholder="Expiring offer!" />}
          </TemplateField>
          <Checkbox
            checked={offer.hasExpiration}
            onChange={({ target }) => field.onChange({ ...offer, hasExpiration: target.checked })}
          >
            It ends at a time, which is chosen when it is sent
          </Checkbox>
        </>
      )}
    </div>
  )
}
