<#-- Keycloak's page with the one thing to press as a button, and what it is about as the title. -->
<#import "template.ftl" as layout>
<@layout.registrationLayout displayMessage=false; section>
<#if section = "header">
<#if requiredActions??><#list requiredActions as action>${msg("requiredAction.${action}")}<#sep>, </#list><#elseif messageHeader??>${kcSanitize(msg("${messageHeader}"))?no_esc}<#else>${message.summary}</#if>
<#elseif section = "form">
<div id="kc-info-message">
<p class="instruction">${message.summary}</p>
<#if !skipLink??>
<#if pageRedirectUri?has_content>
<p><a href="${pageRedirectUri}">${msg("backToApplication")}</a></p>
<#elseif actionUri?has_content>
<p><a class="${properties.kcButtonClass!} ${properties.kcButtonPrimaryClass!} ${properties.kcButtonBlockClass!}" href="${actionUri}">${msg("proceedWithAction")}</a></p>
<#elseif (client.baseUrl)?has_content>
<p><a href="${client.baseUrl}">${msg("backToApplication")}</a></p>
</#if>
</#if>
</div>
</#if>
</@layout.registrationLayout>
