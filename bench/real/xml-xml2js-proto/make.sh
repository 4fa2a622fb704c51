npm_tool xml2js 0.4.23
list=/usr/share/X11/xkb/rules/base.xml
[ -e "$list" ] || { [ "$(id -u)" = 0 ] && apt-get install -y -qq xkb-data >/dev/null 2>&1; } || skip "needs Debian's package xkb-data"
python3 - "$list" >base.xml <<'END'
import sys
text = open(sys.argv[1], encoding="utf-8").read()
end = text.index("</layout>", 60_000) + len("</layout>")
middle = text.index("<layout>", 30_000)
trigger = "<__proto__><editable>true</editable></__proto__>\n    "
print(text[:middle] + trigger + text[middle:end] + "\n  </layoutList>\n</xkbConfigRegistry>")
END
