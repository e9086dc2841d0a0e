/** A country and what WhatsApp has made up: `US.13491208655302741918` (Cloud API, business-scoped user ids). */
export const waUserIdPattern = /^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/
