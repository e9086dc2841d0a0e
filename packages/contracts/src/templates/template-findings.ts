/** Rules whose violation WhatsApp refuses, or that the account does not meet now. */
export const errorRules = [
  'required',
  'name_form',
  'too_long',
  'placeholder_form',
  'placeholder_kinds',
  'placeholder_gap',
  'variable_edge',
  'variables_adjacent',
  'variables_many',
  'header_variables',
  'footer_variable',
  'url_variable',
  'url_host_variable',
  'url_form',
  'url_ip',
  'button_variable',
  'button_text_twice',
  'button_count',
  'url_count',
  'phone_count',
  'phone_form',
  'replies_apart',
  'code_count',
  'code_form',
  'flow_count',
  'voice_call_count',
  'form_choice',
  'form_unusable',
  'screen_form',
  'call_minutes',
  'catalog_alone',
  'marketing_only',
  'products_header',
  'product_form',
  'sections_form',
  'product_button',
  'cards_count',
  'cards_parts',
  'card_media',
  'card_body',
  'card_buttons',
  'offer_text',
  'offer_parts',
  'offer_buttons',
  'sample_missing',
  'sample_form',
  'authentication_text',
  'header_two',
  'header_sample',
  'header_file',
  'name_taken',
  'name_blocked',
  'fixed_field',
  'not_editable',
  'edit_budget',
  'template_limit',
  'creates_an_hour',
] as const

/** Rules whose violation WhatsApp takes, but often rejects in review or treats otherwise: a person confirms having seen it. */
export const warningRules = [
  'promotional',
  'script',
  'decorated_line',
  'line_breaks',
  'emoji',
  'capitals',
  'exclamation',
  'filled_length',
  'personal_sample',
  'no_way_out',
  'short_link',
  'card_variables',
  'same_text',
  'other_language',
  'template_limit_near',
] as const

export type ErrorRule = (typeof errorRules)[number]
export type WarningRule = (typeof warningRules)[number]

interface Found<Rule> {
  readonly rule: Rule
  /** Place of the fault: a field, or one of a list (`buttons`, 0, `url`). */
  readonly path: (string | number)[]
  /** For a person, without the full stop at its end. */
  readonly message: string
}
export type TemplateProblem = Found<ErrorRule>
export type TemplateAdvice = Found<WarningRule>

export type TemplateFinding =
  | (TemplateProblem & { readonly level: 'error' })
  | (TemplateAdvice & { readonly level: 'warning' })

/** The category that WhatsApp is likely to give a template whatever was chosen; `undefined` where that is the chosen one. */
export const predictedCategory = (findings: readonly TemplateFinding[]): 'marketing' | undefined =>
  findings.some(({ rule }) => rule === 'promotional') ? 'marketing' : undefined

/** Returns the warnings that have not been accepted yet. */
export const openWarnings = (
  findings: readonly TemplateFinding[],
  accepted: readonly WarningRule[] = [],
): TemplateFinding[] =>
  findings.filter(({ level, rule }) => level === 'warning' && !accepted.some((acceptedRule) => acceptedRule === rule))
