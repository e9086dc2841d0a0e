<#-- Keycloak asks whether other sessions shall end, and takes no for an answer. A new password ends them all. -->
<#macro logoutOtherSessions>
<input type="hidden" name="logout-sessions" value="on">
</#macro>
