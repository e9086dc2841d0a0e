import { writtenPlaceholders } from '@parley/contracts/templates/placeholders'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { Input } from 'antd'
import { useFormContext, useWatch } from 'react-hook-form'
import { AuthenticationFields } from './authentication-fields.tsx'
import { BodyField } from './body-field.tsx'
import { ButtonsField } from './buttons-field.tsx'
import { CardsField, CarouselChoice } from './cards-field.tsx'
import { CharacterCount } from './character-count.tsx'
import styles from './editor.module.css'
import { TemplateField } from './findings.tsx'
import { contentOf, type TemplateFormValues } from './form-values.ts'
import { HeaderField } from './header-field.tsx'
import { OfferField } from './offer-field.tsx'

/** Edits a template's texts: WhatsApp alone writes those of authentication. */
export function Texts() {
  const { control } = useFormContext<TemplateFormValues>()
  const [category, cards] = useWatch({ control, name: ['category', 'cards'] })
  if (category === 'authentication') return <AuthenticationFields />
  if (cards)
    return (
      <>
        <CarouselChoice />
        <BodyField />
        <CardsField />
        <SampleFields />
      </>
    )
  return (
    <>
      <CarouselChoice />
      <HeaderField />
      <OfferField />
      <BodyField />
      <SampleFields />
      <TemplateField
        control={control}
        name="footer"
        label="Footer"
        optional
        hint="Small print without variables, such as how to opt out."
        aside={<CharacterCount name="footer" max={templateLimits.footer} />}
      >
        {(field) => <Input {...field} dir="auto" autoComplete="off" />}
      </TemplateField>
      <ButtonsField />
    </>
  )
}

/** A sample value for every variable: WhatsApp's reviewers read the message with them. */
function SampleFields() {
  const { control, getValues } = useFormContext<TemplateFormValues>()
  useWatch({ control, name: ['header', 'headerMedia', 'body', 'buttons', 'cards'] })
  const keys = writtenPlaceholders(contentOf(getValues()))
  if (keys.length === 0) return null
  return (
    <fieldset className={styles['group']}>
      <legend>Sample values</legend>
      <p className={styles['lead']}>
        WhatsApp’s reviewers see the message with these values. Do not use a customer’s data.
      </p>
      <div className={styles['samples']}>
        {keys.map((key) => (
          <TemplateField key={key} control={control} name={`examples.${key}`} label={`Sample for {{${key}}}`}>
            {(field) => (
              <Input
                {...field}
                value={field.value ?? ''}
                dir="auto"
                autoComplete="off"
                maxLength={templateLimits.value}
              />
            )}
          </TemplateField>
        ))}
      </div>
    </fieldset>
  )
}
