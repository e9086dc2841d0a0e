import { templateLimits } from '@parley/contracts/templates/template-limits'
import { Input } from 'antd'
import { useFormContext, useWatch } from 'react-hook-form'
import { AuthenticationFields } from './authentication-fields.tsx'
import { BodyField } from './body-field.tsx'
import { ButtonsField } from './buttons-field.tsx'
import { CharacterCount } from './character-count.tsx'
import { TemplateField } from './findings.tsx'
import type { TemplateFormValues } from './form-values.ts'
import { HeaderField } from './header-field.tsx'
import { SampleFields } from './sample-fields.tsx'

/** Edits a template's texts: WhatsApp alone writes those of authentication. */
export function Texts() {
  const { control } = useFormContext<TemplateFormValues>()
  if (useWatch({ control, name: 'category' }) === 'authentication') return <AuthenticationFields />
  return (
    <>
      <HeaderField />
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
