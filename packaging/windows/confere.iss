; Installer for Windows, for Inno Setup 6. UNTESTED: written without a Windows machine at hand.
;
; First freeze (packaging/README.md), then:  ISCC /DVersion=0.1.0 /DFrozen=..\..\dist\confere confere.iss
; Per user, so nobody needs an administrator. Documents live in %LOCALAPPDATA%\Confere, which this neither makes nor
; deletes: after an uninstall they are still there, and the next Confere finds them.

#ifndef Version
  #error Give the version of pyproject.toml as /DVersion=
#endif
#ifndef Frozen
  #define Frozen "..\..\dist\confere"
#endif

[Setup]
AppId=io.github.confere.Confere
AppName=Confere
AppVersion={#Version}
AppPublisher=The Confere authors
DefaultDirName={userpf}\Confere
DefaultGroupName=Confere
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=Confere-{#Version}-setup
SetupIconFile=..\..\build\confere\icons\confere.ico
UninstallDisplayIcon={app}\confere-desktop.exe
UninstallDisplayName=Confere
Compression=lzma2
SolidCompression=yes
WizardStyle=modern
; A running window is asked to close before its files are replaced.
CloseApplications=yes

[Languages]
Name: "pt_BR"; MessagesFile: "compiler:Languages\BrazilianPortuguese.isl"
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "es"; MessagesFile: "compiler:Languages\Spanish.isl"

[CustomMessages]
pt_BR.Comment=Guarda, encontra e entrega documentos fiscais
en.Comment=Keep, find and hand over fiscal documents
es.Comment=Guarda, encuentra y entrega documentos fiscales

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; Libraries of the version before must not lie beside the new ones.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Frozen}\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Confere"; Filename: "{app}\confere-desktop.exe"; Comment: "{cm:Comment}"
Name: "{autodesktop}\Confere"; Filename: "{app}\confere-desktop.exe"; Tasks: desktopicon

[Run]
Filename: "{app}\confere-desktop.exe"; Description: "{cm:LaunchProgram,Confere}"; Flags: nowait postinstall skipifsilent
