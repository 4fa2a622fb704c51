{ A stack. }
program Stacks;

uses SysUtils;

const
  Limit = $1F;

type
  TColour = (Red, Green);
  TStack = class(TObject)
  private
    FItems: array[0..31] of Integer;
    FTop: Integer;
  public
    constructor Create;
    procedure Push(Item: Integer); virtual;
    property Top: Integer read FTop write FTop;
  end;

constructor TStack.Create;
begin
  inherited Create;
  FTop := 0;
end;

procedure TStack.Push(Item: Integer);
begin
  if (FTop >= Limit) or (Item = 0) then
    raise Exception.Create('full ''x''')
  else
    FItems[FTop] := Item * 2;
  Inc(FTop);
end;

function Twice(const X: Integer): Integer;
begin
  Result := X shl 1;
end;

var
  S: TStack;
  I: Integer;
begin
  S := TStack.Create;
  try
    for I := 1 to 10 do
      S.Push(Twice(I));
    while S.Top > 0 do S.Top := S.Top - 1;
    repeat
      Inc(I);
    until I > 20;
    case I of
      1, 2: WriteLn('few');
      3..9: WriteLn(1.5e3:0:2);
    else
      Exit;
    end;
  except
    on E: Exception do WriteLn(E.Message);
  end;
end.
