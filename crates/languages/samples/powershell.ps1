#!/usr/bin/env pwsh
# Counts files.
param(
    [Parameter(Mandatory = $true)]
    [string]$Path,
    [int]$Limit = 10
)

Set-StrictMode -Version Latest
$names = @('a', "b $Path", 'it''s')
$map = @{ one = 1; 'two' = 2.5 }

function Get-Size {
    [CmdletBinding()]
    param([string[]]$Files, [switch]$Recurse)
    begin { $total = 0 }
    process {
        foreach ($file in $Files) {
            if ($file -like '*.c' -and -not $Recurse) {
                continue
            } elseif ($total -gt 0x1F) {
                break
            } else {
                $total += (Get-Item $file).Length
            }
        }
    }
    end { return $total }
}

try {
    Get-ChildItem -Path $Path | Where-Object { $_.Length -gt 1kb } | ForEach-Object { Write-Output $_.Name }
} catch [System.IO.IOException] {
    throw "bad: $($_.Exception.Message)"
} finally {
    $i = 0
}
while ($i -lt $Limit) { $i++ }
switch ($i) {
    1 { 'one' }
    default { [math]::Max(1, 2) }
}
for ($j = 0; $j -lt 3; $j++) { $map['one'] = $j }
