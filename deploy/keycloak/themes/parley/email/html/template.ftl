<#-- Every mail of the realm: the product's name above one card, without pictures and without anything to load. -->
<#macro emailLayout>
<!doctype html>
<html lang="${locale.language}" dir="${(ltr)?then('ltr','rtl')}">
<head><meta charset="utf-8"></head>
<body style="margin:0;padding:32px 16px;background:#f7f8f7;color:#0f1715;font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:14px;line-height:20px">
<table role="presentation" align="center" width="100%" style="max-width:440px;border-collapse:collapse">
<tr><td style="padding:0 0 16px;font-size:18px;font-weight:600">${realmName}</td></tr>
<tr><td style="padding:24px;background:#ffffff;border:1px solid #e6eae8;border-radius:10px;font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:14px;line-height:20px;overflow-wrap:anywhere">
<#nested>
</td></tr>
</table>
</body>
</html>
</#macro>
